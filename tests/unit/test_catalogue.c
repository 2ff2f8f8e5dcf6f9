/* Every entry of every catalogue: what `list` and `help` need of it. */
#include <ctype.h>
#include <string.h>

#include "cli/help/catalogue.h"
#include "graph/base/spec.h"
#include "tests/support/check.h"

static void text_is_there(const char *kind, const char *entry, const char *what, const char *text)
{
    if (!text || !*text || isspace((unsigned char)*text) || isspace((unsigned char)text[strlen(text) - 1]))
        fail_msg("%s %s: its %s is '%s'", kind, entry ? entry : "(without a name)", what, text ? text : "(null)");
}

/* Names are lower-case words joined by hyphens (of published tables also by colons and points), each once in its
 * kind. */
static void kind_is_listed(void **state)
{
    const struct kind *kind = *state;

    assert_non_null(kind->entry[0]);
    for (size_t i = 0; kind->entry[i]; i++) {
        const struct entry *e = kind->entry[i];

        text_is_there(kind->name, e->name, "name", e->name);
        text_is_there(kind->name, e->name, "summary", e->summary);
        if (strspn(e->name, "abcdefghijklmnopqrstuvwxyz0123456789-:.") != strlen(e->name))
            fail_msg("%s %s: a name has small letters, digits and hyphens", kind->name, e->name);
        if (e->synopsis)
            text_is_there(kind->name, e->name, "synopsis", e->synopsis);
        if (e->source)
            text_is_there(kind->name, e->name, "source", e->source);
        for (size_t j = 0; j < i; j++)
            if (strcmp(kind->entry[j]->name, e->name) == 0)
                fail_msg("%s %s is there twice", kind->name, e->name);
        for (const struct spec_key *k = e->keys; k && k->name; k++) {
            text_is_there(kind->name, e->name, "key", k->name);
            text_is_there(kind->name, e->name, k->name, k->values);
            text_is_there(kind->name, e->name, k->name, k->summary);
        }
        if (kind_find(kind, e->name, NULL) != e)
            fail_msg("%s %s is not found by its name", kind->name, e->name);
    }
}

/* An entry whose synopsis has keys knows those keys. */
static void keys_are_in_the_synopsis(void **state)
{
    const struct kind *kind = *state;

    for (size_t i = 0; kind->entry[i]; i++)
        for (const struct spec_key *k = kind->entry[i]->keys; k && k->name; k++)
            if (!kind->entry[i]->synopsis ||
                (!strstr(kind->entry[i]->synopsis, k->name) && !strstr(kind->entry[i]->synopsis, "...")))
                fail_msg("%s %s: its synopsis '%s' says nothing of the key %s", kind->name, kind->entry[i]->name,
                         kind->entry[i]->synopsis ? kind->entry[i]->synopsis : "", k->name);
}

static void misspelt_names_are_refused(void **state)
{
    const struct kind *kind = *state;
    struct err err = { 0 };

    assert_null(kind_find(kind, "no such thing", &err));
    assert_int_equal(err.code, ERR_USAGE);
    if (!strstr(err.msg, "no such thing") || !strchr(err.msg, '`'))
        fail_msg("%s: '%s' does not say what is wrong and where names are", kind->name, err.msg);
}

int main(void)
{
    struct CMUnitTest tests[200];
    static char name[200][60];
    const struct kind *kind;
    size_t n = 0;

    for (size_t k = 0; (kind = catalogue_kind(k)) && n + 3 <= 200; k++) {
        static void (*const test[])(void **) = { kind_is_listed, keys_are_in_the_synopsis, misspelt_names_are_refused };
        static const char *const what[] = { "entries", "keys", "misspelt" };

        for (size_t i = 0; i < 3; i++, n++) {
            snprintf(name[n], sizeof name[n], "%s: %s", kind->name, what[i]);
            tests[n] = (struct CMUnitTest){ name[n], test[i], NULL, NULL, (void *)(uintptr_t)kind };
        }
    }
    return _cmocka_run_group_tests("catalogue", tests, n, NULL, NULL);
}
