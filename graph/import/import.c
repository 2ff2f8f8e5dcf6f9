#include "graph/import/import.h"
#include "graph/base/file.h"
#include "graph/import/imported.h"

#include "registry/import.inc"

KIND(import, import, struct import_format, .name = "network-file", .rank = 3)

#define MOST_BYTES ((size_t)4 << 30)
#define MOST_FORMATS 32
/* Bytes of memory per byte of file, about: igraph keeps a tree of a GML file, and a matrix of "0,0,..." has a pointer
 * and a number for every two. */
#define BYTES_PER_BYTE 24

static size_t known(const char **name)
{
    size_t n = 0;

    for (; import_all[n] && n < MOST_FORMATS; n++)
        name[n] = import_all[n]->name;
    return n;
}

static const char *known_text(char out[160])
{
    const char *name[MOST_FORMATS];

    return text_list(out, 160, name, known(name), " or ");
}

static const struct import_format *named(const char *format, struct err *err)
{
    const char *name[MOST_FORMATS];
    char hint[80], all[160];

    for (size_t i = 0; import_all[i]; i++)
        if (strcmp(import_all[i]->name, format) == 0)
            return import_all[i];
    err_set(err, ERR_USAGE, "no graph format is called '%.40s'%s; it may be %s", format,
            text_suggest(hint, format, name, known(name)), known_text(all));
    return NULL;
}

static bool has_extension(const struct import_format *format, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.'), *e = format->synopsis;
    size_t len = dot ? strlen(dot) : 0;

    if (len < 2)
        return false;
    for (; *e; e += strcspn(e, " "), e += strspn(e, " "))
        if (strcspn(e, " ") == len && strncasecmp(e, dot, len) == 0)
            return true;
    return false;
}

/* What files look like that are of others' formats, which are not read. */
static const struct {
    const char *begin, *what;
} foreign[] = {
    { "---", "YAML, as Slurm's topology.yaml is, which is not read; its topology.conf is" },
    { "%", "METIS, which is not read; an edge list has a line of two nodes for each cable" }
};

/* Says what the file might have been: the formats that share its extension, or all. */
static int unrecognised(const char *path, const char *head, int sharing, struct err *err)
{
    char all[160], text[300] = "";
    size_t len = 0;

    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strncmp(head, foreign[i].begin, strlen(foreign[i].begin)) == 0)
            return err_set(err, ERR_FORMAT, "%s looks like %s", path, foreign[i].what);
    for (size_t i = 0; sharing > 0 && import_all[i] && len < sizeof text; i++)
        if (has_extension(import_all[i], path))
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s (%s)", len ? ", nor " : "",
                                    import_all[i]->name, import_all[i]->summary);
    return err_set(err, ERR_FORMAT, "%s does not look like %s; say what it is with format=", path,
                   sharing > 0 ? text : known_text(all));
}

/* An extension that one format has decides; where several share it, or none has it, the text does. */
static const struct import_format *recognise(const char *text, size_t len, const char *path, struct err *err)
{
    const struct import_format *only = NULL;
    int sharing = 0;

    for (size_t i = 0; import_all[i]; i++)
        if (has_extension(import_all[i], path)) {
            only = import_all[i];
            sharing++;
        }
    if (sharing == 1)
        return only;
    for (size_t i = 0; import_all[i]; i++) {
        int looks = sharing == 0 || has_extension(import_all[i], path) ? import_all[i]->sniff(text, len, err) : 0;

        if (looks != 0)
            return looks < 0 ? NULL : import_all[i];
    }
    unrecognised(path, text, sharing, err);
    return NULL;
}

static int parse(struct import *in, const char *text, size_t len, const char *path, const char *format_name,
                 enum import_direction direction, struct err *err)
{
    const struct import_format *format;

    if (imported_text(text, len, path, err) < 0)
        return -1;
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        len -= 3;
    }
    format = format_name && *format_name ? named(format_name, err) : recognise(text, len, path, err);
    if (!format)
        return -1;
    if (format->states_direction && direction != IMPORT_UNSAID)
        return err_set(err, ERR_USAGE, "%s is read as %s, which itself says whether edges are directed; leave out "
                       "directed=", path, format->name);
    if (!format->fabric && in->wanted && (in->wanted->hca || in->wanted->aggregation))
        return err_set(err, ERR_USAGE, "%s is read as %s, which does not tell adapters from others; leave out hca= and "
                       "aggregation=", path, format->name);
    if (format->read(in, text, len, path, err) < 0)
        return -1;
    if (!format->states_direction)
        in->directed = direction == IMPORT_DIRECTED;
    return imported_check(in, path, err);
}

static int import_text(struct import *in, const char *text, size_t len, const char *name, const char *format,
                       enum import_direction direction, const struct import_wanted *wanted, struct err *err)
{
    struct import made = { .wanted = wanted };
    size_t shown = strlen(name);
    char path[208];

    /* A message has room for 600 characters; the end of a long path tells more than its beginning. */
    snprintf(path, sizeof path, "%s%s", shown > 200 ? "..." : "", name + (shown > 200 ? shown - 200 : 0));
    if (parse(&made, text, len, path, format, direction, err) < 0) {
        import_release(&made);
        return -1;
    }
    *in = made;
    return 0;
}

int import_parse(struct import *in, const char *text, size_t len, const char *name, const char *format,
                 enum import_direction direction, struct err *err)
{
    return import_text(in, text, len, name, format, direction, NULL, err);
}

int import_read(struct import *in, const char *path, const char *format, enum import_direction direction,
                const struct import_wanted *wanted, struct err *err)
{
    char *text = NULL;
    size_t len;
    int ret;

    if (format && *format && !named(format, err))
        return -1;
    if (file_read(&text, &len, path, MOST_BYTES, BYTES_PER_BYTE, err) < 0)
        return -1;
    ret = import_text(in, text, len, strcmp(path, "-") == 0 ? "standard input" : path, format, direction, wanted, err);
    free(text);
    return ret;
}

void import_release(struct import *in)
{
    mem_free_list(in->name, (size_t)in->n);
    mem_free_list(in->port, 2 * in->nedge);
    devices_release(&in->devices);
    FREE(in->end, in->bandwidth, in->length, in->weight, in->kind, in->at, in->line, in->unread);
    *in = (struct import){ 0 };
}
