/* 1. writing   words, paragraphs, items, in both forms
 * 2. commands
 * 3. entries   of catalogues
 * 4. the whole */
#include "cli/help/manual.h"
#include "cli/help/catalogue.h"
#include "cli/help/column.h"

enum { WIDTH = 70 };                    /* of lines of source, before what masks the last word: 80 at the most */

/* ---- writing ---- */

struct writer {
    FILE *f;
    bool man;
    size_t at;                          /* column; 0: a line begins */
    bool code;                          /* between backquotes */
    bool fresh;                         /* nothing since the heading */
};

static void line_end(struct writer *w)
{
    if (w->at)
        putc('\n', w->f);
    w->at = 0;
}

/* A piece of text as it stands; of man what its macros would read otherwise is masked. */
static void put_masked(struct writer *w, const char *text, size_t len)
{
    if (w->man && w->at == 0 && len && (*text == '.' || *text == '\''))
        fputs("\\&", w->f);
    for (size_t i = 0; i < len; i++) {
        char plain[2] = { text[i], '\0' };
        const char *out = plain;

        if (w->man && text[i] == '`')
            out = (w->code = !w->code) ? "\\fB" : "\\fR";
        else if (w->man && text[i] == '\\')
            out = "\\e";
        else if (w->man && text[i] == '-' && (w->code || (i == 0 && len > 1)))
            out = "\\-";
        w->at += *out & 0x80 ? 4 : strlen(out);         /* written as \[u00E7] at last */
        fputs(out, w->f);
    }
    w->fresh = false;
}

static void put_word(struct writer *w, const char *word, size_t len)
{
    if (w->at && w->at + 1 + len > WIDTH)
        line_end(w);
    else if (w->at) {
        putc(' ', w->f);
        w->at++;
    }
    put_masked(w, word, len);
}

/* Up to `end`; NULL: all of it. */
static void put_words(struct writer *w, const char *text, const char *end)
{
    for (text += strspn(text, " \n"); *text && (!end || text < end); text += strspn(text, " \n")) {
        const size_t len = strcspn(text, " \n\v");

        put_word(w, text, len);
        text += len;
    }
}

__attribute__((format(printf, 2, 3))) static void heading(struct writer *w, const char *format, ...)
{
    char text[200];
    va_list ap;
    const int level = *format == '#' ? 2 : 1;   /* "#..." is one further down */

    va_start(ap, format);
    vsnprintf(text, sizeof text, format + level - 1, ap);
    va_end(ap);
    line_end(w);
    for (char *c = text; w->man && level == 1 && *c; c++)
        *c = (char)toupper((unsigned char)*c);
    fprintf(w->f, w->man ? level == 1 ? ".SH " : ".SS " : level == 1 ? "\n## " : "\n### ");
    w->at = 4;
    put_masked(w, text, strlen(text));
    line_end(w);
    w->fresh = true;
}

static void paragraph(struct writer *w)
{
    line_end(w);
    fputs(!w->man ? "\n" : w->fresh ? "" : ".PP\n", w->f);
}

static void code_line(struct writer *w, const char *line, size_t len)
{
    put_masked(w, line, len);
    putc('\n', w->f);
    w->at = 0;
}

static void code_begin(struct writer *w)
{
    paragraph(w);
    fputs(w->man ? ".nf\n.RS 4\n" : "```\n", w->f);
}

static void code_end(struct writer *w)
{
    fputs(w->man ? ".RE\n.fi\n" : "```\n", w->f);
}

static void code(struct writer *w, const char *text)
{
    code_begin(w);
    code_line(w, text, strlen(text));
    code_end(w);
}

/* Paragraphs with an empty line or a \v between them; lines that begin with a blank stand as they are. */
static void prose(struct writer *w, const char *text)
{
    bool first = true, in_code = false;

    while (*text) {
        const size_t len = strcspn(text, "\n\v");

        if (*text == ' ' && !in_code)
            code_begin(w);
        else if (*text != ' ' && in_code)
            code_end(w);
        in_code = *text == ' ';
        if (in_code) {
            code_line(w, text, len);
        } else {
            if (first && len)
                paragraph(w);
            put_words(w, text, text + len);
            first = len == 0;
        }
        first = first || text[len] == '\v';
        text += len + (text[len] != '\0');
    }
    if (in_code)
        code_end(w);
    line_end(w);
}

/* A word and what it means. */
static void item(struct writer *w, const char *name, const char *text)
{
    line_end(w);
    fputs(w->man ? ".TP\n\\fB" : w->fresh ? "\n- `" : "- `", w->f);
    w->code = true;
    put_masked(w, name, strlen(name));
    w->code = false;
    fputs(w->man ? "\\fR\n" : "`:", w->f);
    w->at = w->man ? 0 : strlen(name) + 5;
    put_words(w, text, NULL);
    line_end(w);
}

static struct writer begin(FILE *f, enum manual_form form, const char *name, int section, const char *summary)
{
    struct writer w = { .f = f, .man = form == MANUAL_MAN };

    if (!w.man) {
        fprintf(f, "# %s\n", name);
        return w;
    }
    fprintf(f, ".TH ");
    for (const char *c = name; *c; c++)
        putc(toupper((unsigned char)*c), f);
    fprintf(f, " %d \"" RELEASED "\" \"metapath " VERSION "\"\n.SH NAME\n%s \\-", section, name);
    w.at = strlen(name) + 4;
    put_words(&w, summary, NULL);
    line_end(&w);
    return w;
}

/* ---- commands ---- */

static void put_option(void *arg, const struct option_field *o)
{
    struct writer *w = arg;
    char name[160], letter[8] = "";

    if (!o->name) {
        const size_t len = strlen(o->help);

        heading(w, "#%.*s", (int)(len - (o->help[len - 1] == ':')), o->help);
        return;
    }
    if (o->key)
        snprintf(letter, sizeof letter, "-%c, ", o->key);
    snprintf(name, sizeof name, "%s--%s%s%s", letter, o->name, o->values ? "=" : "", o->values ? o->values : "");
    item(w, name, o->help ? o->help : "");
}

static void put_column(struct writer *w, const struct column *c)
{
    const char *said = column_summary(c->name);
    char text[500];

    snprintf(text, sizeof text, "%s%s%s%s%s%s", c->heading ? c->heading : "", c->heading && c->unit ? ", in " :
             c->unit ? "in " : "", c->unit ? c->unit : "", (c->heading || c->unit) && said ? ": " : "",
             said ? said : "", c->decimals == COLUMN_ASIDE ? " (with --wide)" : "");
    item(w, c->name, text);
}

static void put_columns(struct writer *w, const struct frame_table *t)
{
    if (t->show || t->title)
        heading(w, "#%s%s", t->show ? "--show " : "", t->show ? t->show : t->title);
    for (size_t k = 0; k < t->ncolumn; k++)
        put_column(w, &t->column[k]);
}

static void put_statuses(struct writer *w)
{
    heading(w, "Exit status");
    item(w, "0", "done");
    item(w, "1", "something could not be computed, read or written");
    item(w, "2", "the command line is wrong");
    item(w, "3", "the answer to --check is no");
    item(w, "130", "interrupted; files stay as they were");
}

int manual_command(FILE *f, enum manual_form form, const struct command *c, struct err *err)
{
    const struct frame *frame = c->cmd->frame;
    char short_name[COMMAND_NAME], name[100], usage[200];
    struct writer w;

    snprintf(name, sizeof name, "metapath%c%s", form == MANUAL_MAN ? '-' : ' ', command_name(short_name, c, '-'));
    snprintf(usage, sizeof usage, "metapath %s %s [OPTION...]", command_name(short_name, c, ' '),
             frame && frame->arguments ? frame->arguments : "");
    w = begin(f, form, name, 1, c->cmd->summary);
    heading(&w, "Synopsis");
    code(&w, c->above ? usage : c->cmd->synopsis);
    heading(&w, "Description");
    if (!frame) {
        prose(&w, c->cmd->summary);
        for (size_t i = 0; c->cmd->below && c->cmd->below[i]; i++)
            item(&w, c->cmd->below[i]->name, c->cmd->below[i]->summary);
    } else {
        prose(&w, frame->doc);
        heading(&w, "Options");
        if (frame_each_option(frame, put_option, &w, err) < 0)
            return -1;
        if (frame->table)
            heading(&w, "Columns");
        for (size_t i = 0; frame->table && frame->table[i].column; i++)
            put_columns(&w, &frame->table[i]);
        heading(&w, "Examples");
        for (int i = 0; i < EXAMPLES; i++) {
            prose(&w, frame->example[i].question);
            code(&w, frame->example[i].command);
        }
    }
    put_statuses(&w);
    if (form == MANUAL_MAN) {
        heading(&w, "See also");
        fputs(".BR metapath (1),\n.BR metapath (7)\n", f);
    }
    return 0;
}

/* ---- entries ---- */

static void put_keys(struct writer *w, const struct spec_key *k)
{
    char name[160];

    for (; k && k->name; k++) {
        snprintf(name, sizeof name, "%s=%s", k->name, k->values ? k->values : "");
        item(w, name, k->summary);
    }
}

static void put_entry(struct writer *w, const struct entry *e)
{
    char line[200];

    heading(w, "#%s", e->name);
    prose(w, e->summary);
    if (e->synopsis)
        code(w, e->synopsis);
    put_keys(w, e->keys);
    if (e->notes)
        prose(w, e->notes);
    if (e->terms) {
        paragraph(w);
        put_words(w, "It", NULL);
        put_words(w, e->terms, NULL);
        put_masked(w, ".", 1);
    }
    if (e->example && !strchr(e->example, '\n')) {
        snprintf(line, sizeof line, "Example: `%.180s`", e->example);
        prose(w, line);
    }
    if (e->source) {
        paragraph(w);
        put_words(w, "Source:", NULL);
        put_words(w, e->source, NULL);
    }
    line_end(w);
}

static void put_kind(struct writer *w, const struct kind *kind)
{
    heading(w, "%s", kind->what ? kind->what : kind->name);
    if (kind->keys) {
        prose(w, "All of these take:");
        put_keys(w, kind->keys);
    }
    for (size_t i = 0; kind->entry[i]; i++)
        put_entry(w, kind->entry[i]);
}

void manual_kind(FILE *f, enum manual_form form, const struct kind *kind)
{
    struct writer w = begin(f, form, kind->name, 7, kind->what ? kind->what : kind->name);

    put_kind(&w, kind);
}

/* ---- the whole ---- */

static const char specs[] =
    "A spec is one line of text that names a network, a routing, a traffic or another thing: a name, then a colon "
    "and a "
    "value, then keys with their values, as in `torus:8x8,bandwidth=200Gb/s`. In a list, items are separated by "
    "commas; "
    "a piece with an equals sign before any colon belongs to the item before it.\n\n"
    "A size may be a range: `torus:4x4..32x32` stands for several networks, `ring:8..64..x2` for 8, 16, 32 and 64, "
    "`torus:8..64..x2^2` for squares. Times have units (`100ns`), rates too (`200Gb/s`, bits), and sizes (`64B`, "
    "`1MiB`).";

void manual_specs(FILE *f, enum manual_form form)
{
    struct writer w = begin(f, form, "metapath", 7, "spec strings: networks, routings, traffics and all that has a "
        "name");
    const struct kind *kind;

    heading(&w, "Description");
    prose(&w, specs);
    for (size_t i = 0; (kind = catalogue_kind(i)); i++)
        if (!kind->apart)
            put_kind(&w, kind);
    if (w.man)
        fputs(".SH SEE ALSO\n.BR metapath (1)\n", f);
}

void manual_program(FILE *f, enum manual_form form, const struct cmd *const *all)
{
    struct writer w = begin(f, form, "metapath", 1, "models interconnection networks analytically");
    char name[COMMAND_NAME];
    struct command c;

    heading(&w, "Synopsis");
    code(&w, "metapath COMMAND [ARGUMENT...] [OPTION...]");
    heading(&w, "Description");
    prose(&w, "How long the paths of a network are, how latency grows with load, how many steps a broadcast takes, "
        "and how "
          "far that is from the best possible. Each command computes a table, and draws a figure of it with `--plot`. "
          "`metapath help NAME` explains a command, an entry or a word, `metapath list` shows all names.");
    heading(&w, "Commands");
    for (size_t i = 0; all[i]; i++)
        item(&w, all[i]->name, all[i]->summary);
    heading(&w, "Specs");
    prose(&w, specs);
    put_statuses(&w);
    heading(&w, "Environment");
    item(&w, "OMP_NUM_THREADS", "number of threads where --jobs does not say it");
    if (w.man) {
        fputs(".SH SEE ALSO\n.BR metapath (7)", f);
        for (size_t i = 0; command_at(&c, all, i); i++)
            fprintf(f, ",\n.BR metapath\\-%s (1)", command_name(name, &c, '-'));
        putc('\n', f);
    }
}
