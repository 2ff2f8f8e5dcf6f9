/* The value of an option as text becomes a member of a request (options.h): numbers within their limits, words,
 * lists. */
#include "cli/request/options.h"
#include "graph/base/spec.h"

/* ---- lists -------------------------------------------------------------------------------------------- */

int strings_add(struct strings *s, const char *item, struct err *err)
{
    if (GROW_BY(s->n, 1, "a list of arguments", err, GROWN(s->item)) < 0)
        return -1;
    s->item[s->n] = text_copy(item, strlen(item));
    return s->item[s->n++] ? 0 : err_memory(err);
}

int strings_add_list(struct strings *s, const char *list, struct err *err)
{
    char **item;
    size_t n;
    int ret = 0;

    if (spec_list(&item, &n, list, err) < 0)
        return -1;
    for (size_t i = 0; ret == 0 && i < n; i++)
        ret = strings_add(s, item[i], err);
    mem_free_list(item, n);
    return ret;
}

void strings_free(struct strings *s)
{
    mem_free_list(s->item, s->n);
    *s = (struct strings){ 0 };
}

/* ---- taking a value ------------------------------------------------------------------------------------ */

/* Place of `arg` among words as in "auto|none"; -1 with err. */
static int choose_word(const char *what, const char *arg, const char *words, struct err *err)
{
    const size_t size = strlen(arg);
    char all[160] = "";
    size_t len = 0, n;

    for (int i = 0; *words; i++) {
        n = strcspn(words, "|");
        if (n == size && strncmp(words, arg, n) == 0)
            return i;
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%.*s", i ? ", " : "", (int)n, words);
        words += n + (words[n] == '|');
    }
    return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be %s", what, arg, all);
}

int option_real(double *out, const char *arg, double lo, double hi, const char *what, struct err *err)
{
    double v;

    if (num_real(&v, arg, what, err) < 0)
        return -1;
    if (!(v >= lo && v <= hi))
        return err_set(err, ERR_USAGE, "%s is '%.40s'; it may be %g to %g", what, arg, lo, hi);
    *out = v;
    return 0;
}

int option_percent(double *out, const char *arg, double lo, double hi, const char *what, struct err *err)
{
    const size_t len = strlen(arg);
    char text[40];

    if (len == 0 || len >= sizeof text)
        return err_set(err, ERR_USAGE, "%s '%.40s' is no percentage, as in 0.1%%", what, arg);
    memcpy(text, arg, len + 1);
    if (text[len - 1] == '%')
        text[len - 1] = '\0';
    if (option_real(out, text, lo, hi, what, err) < 0)
        return -1;
    *out /= 100;
    return 0;
}

/* A whole number, the place of a word, or true for an option without a value. */
static int take_whole(int64_t *out, const struct option_field *f, const char *arg, const char *what, struct err *err)
{
    const char *words = f->words ? f->words : f->values && strchr(f->values, '|') ? f->values : NULL;

    if (!words && f->values)
        return num_int(out, arg, f->least, f->most, what, err);
    *out = words ? choose_word(what, arg, words, err) : 1;
    return *out < 0 ? -1 : 0;
}

int option_take(const struct option_field *f, void *about, const char *arg, struct err *err)
{
    void *member = (char *)about + f->at;
    char what[40];
    int64_t v = 0;

    if (f->take)
        return f->take(about, arg, err);
    if (f->kind) {
        const struct entry *entry = kind_find(f->kind, arg, err);

        memcpy(member, &entry, sizeof entry);
        return entry ? 0 : -1;
    }
    snprintf(what, sizeof what, "--%s", f->name ? f->name : "");
    if ((f->type == OPTION_FLAG || f->type == OPTION_INT || f->type == OPTION_INT64) &&
        take_whole(&v, f, arg, what, err) < 0)
        return -1;
    switch (f->type) {
    case OPTION_FLAG: *(bool *)member = v != 0; return 0;
    case OPTION_INT: *(int *)member = (int)v; return 0;
    case OPTION_INT64: *(int64_t *)member = v; return 0;
    case OPTION_REAL: return option_real(member, arg, f->from, f->to, what, err);
    case OPTION_TEXT: *(const char **)member = arg; return 0;
    case OPTION_LIST: return f->whole ? strings_add(member, arg, err) : strings_add_list(member, arg, err);
    case OPTION_NONE: break;
    }
    return err_set(err, ERR_INTERNAL, "%s has no place for its value", what);
}
