/* entry.h -- catalogues: what there is of a kind (topologies, routings, palettes, ...), found by name and listed alike.
 * A kind is a pair of files. KIND.h says what an entry is: a struct with ENTRY as its first member, and KIND_HEADER.
 * KIND.c includes registry/KIND.inc, which make writes from the files KIND_NAME.c beside it, and says KIND. An entry
 * is one file KIND_NAME.c that defines SYMBOL_NAME, with _ for the hyphens of a name. `list`, `help` and the generic
 * tests walk over all kinds. */
#pragma once

#include "graph/base/base.h"

struct spec;
struct spec_key;

/* What every entry of every catalogue says of itself. All but name and summary may be NULL. */
#define ENTRY_FIELDS                                                                                        \
    const char *name;           /* as it is asked for */                                                    \
    const char *synopsis;       /* how its spec is written; NULL: the name alone */                         \
    const char *summary;        /* a line */                                                                \
    const char *sought;         /* another word by which people ask for it: suggested to them */            \
    const char *source;         /* who published it, and where */                                           \
    const char *notes;          /* more for `help NAME` */                                                  \
    const char *terms;          /* "needs this, and promises that" */                                       \
    const char *example;        /* a spec (of file formats: a file) that works, for help and generic tests */ \
    const char *example_net;    /* a network it works on, where it needs one */                             \
    const struct spec_key *keys;                                                                            \
    bool takes_path;            /* the parameter is a path, whatever stands in it */                        \
    bool nested;                /* the parameter, or a key's value, is a spec of its own: its keys are checked there */

struct entry {
    ENTRY_FIELDS
};
/* First member of an entry's struct: its fields under their own names, and all of them as `entry`. */
#define ENTRY           \
    union {             \
        struct entry entry; \
        struct {        \
            ENTRY_FIELDS \
        };              \
    }

#define KIND_TELL 200
struct kind {
    const char *name;           /* as `list` and `help` call it: "network-file" */
    const char *what;           /* in messages: "no WHAT is called 'x'"; NULL: the name */
    const char *where;          /* the command that names its entries; NULL: `metapath list NAME` */
    const struct spec_key *keys; /* that every entry understands beside its own; NULL: none */
    int rank;                   /* place among the kinds that `list` walks over */
    bool apart;                 /* its entries are nothing that a spec names: the page of specs leaves them out */
    const struct entry *const *entry;   /* NULL-terminated, by name */
    /* What an entry can do, from its struct: "serves gather and scatter". NULL: nothing beside its texts */
    void (*tell)(char out[KIND_TELL], const struct entry *e);
};

/* NULL with ERR_USAGE where there is none: "no WHAT is called 'NAME' (did you mean ...?); `WHERE` names them". err
 * may be NULL. */
const struct entry *kind_find(const struct kind *kind, const char *name, struct err *err);
size_t kind_count(const struct kind *kind);
/* The entry whose name a spec begins with; NULL where there is none. */
const struct entry *kind_named(const struct kind *kind, const char *text);
/* Parses a spec, finds the entry it names and checks its keys. `spec` is to be released when an entry is the answer. */
const struct entry *kind_spec(struct spec *spec, const struct kind *kind, const char *text, struct err *err);

/* In KIND.h: SYMBOL_all, NULL-terminated; kind_KIND; SYMBOL_find, which is kind_find; SYMBOL_named, kind_named. */
#define KIND_HEADER(id, symbol, type)                                                       \
    extern const struct kind kind_##id;                                                     \
    static inline const type *symbol##_find(const char *name, struct err *err)              \
    {                                                                                       \
        return (const type *)(const void *)kind_find(&kind_##id, name, err);                \
    }                                                                                       \
    static inline const type *symbol##_named(const char *text)                              \
    {                                                                                       \
        return (const type *)(const void *)kind_named(&kind_##id, text);                    \
    }                                                                                       \
    extern const type *const symbol##_all[]

/* In KIND.c, below registry/KIND.inc. The further arguments fill in struct kind. */
#define KIND(id, symbol, type, ...)                                                                         \
    KIND_ENTRIES(KIND_EXTERN, type, symbol)                                                                 \
    const type *const symbol##_all[] = { KIND_ENTRIES(KIND_TYPED, type, symbol) NULL };                     \
    static const struct entry *const kind_entries[] = { KIND_ENTRIES(KIND_PLAIN, type, symbol) NULL };      \
    const struct kind kind_##id = { .entry = kind_entries, __VA_ARGS__ };
#define KIND_EXTERN(type, symbol, name) extern const type symbol##_##name;
#define KIND_TYPED(type, symbol, name) &symbol##_##name,
#define KIND_PLAIN(type, symbol, name) &symbol##_##name.entry,
