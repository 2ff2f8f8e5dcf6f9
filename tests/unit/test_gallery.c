/* Every figure of the gallery as it is there and at the sizes that papers use, by what stands in its SVG: text on the
 * page and apart, nothing cut that is not said elsewhere, panels that fill the page, series that are named, dashes,
 * hollow marks and hatching that are explained. Each rule tells of all figures that break it.
 * 1. what is written     of a figure, to be searched
 * 2. rules               how often a figure breaks each
 * 3. legends             the rule of what they explain
 * 4. rules tried         on small pages that keep or break them
 * 5. all figures         drawn by examples/gallery.sh (`make gallery-check`); not under sanitizers */
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/boxes.h"
#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/svg.h"

#define FOLDER "out/gallery-check"
#define SIZES "84 60 88.9 127"
#define LEAST_PANEL 0.55        /* of a page that has axes, for its panels together, on narrow pages; */
#define LEAST_TALL 0.40         /* of one that has grown as high as it may, one and a half times its width; */
#define LEAST_SQUARE 0.51       /* of one with a square panel, which does not grow by itself */
#define FIGURES 25              /* at least, lest nothing be measured */

static struct measured {
    char name[80];              /* "lines-84" */
    struct svg svg;
    char *words;                /* all that is written, without blanks and line ends */
} *figure;
static size_t nfigure;

/* ---- what is written --------------------------------------------------------------------------------- */

static void squeeze(char *out, const char *text)
{
    for (; *text; text++)
        if (!strchr(" \n", *text))
            *out++ = *text;
    *out = '\0';
}

static bool says(const struct measured *m, const char *text)
{
    char squeezed[2000];

    squeeze(squeezed, text);
    return strstr(m->words, squeezed) != NULL;
}

static char *all_words(const struct svg *s)
{
    size_t room = 1;
    char *words;

    for (size_t i = 0; i < s->nitem; i++)
        room += s->item[i].text ? strlen(s->item[i].text) + 1 : 0;
    words = calloc(room, 1);
    assert_non_null(words);
    for (size_t i = 0; i < s->nitem; i++)
        if (s->item[i].text)
            squeeze(words + strlen(words), s->item[i].text);
    return words;
}

/* ---- rules ------------------------------------------------------------------------------------------- */

#define TELL(m, ...) (print_error("%s: ", (m)->name), print_error(__VA_ARGS__), print_error("\n"))

static bool within(const struct text_box *b, const struct rect *r, double play)
{
    for (int k = 0; k < 4; k++)
        if (!(b->x[k] >= r->x - play && b->x[k] <= r->x + r->w + play && b->y[k] >= r->y - play &&
              b->y[k] <= r->y + r->h + play))
            return false;
    return true;
}

/* On the page, and not beyond what it is cut to. */
static int text_is_seen(const struct measured *m)
{
    int n = 0;

    for (size_t i = 0; i < m->svg.nitem; i++) {
        const struct svg_item *t = &m->svg.item[i];
        int g = t->group;

        if (!t->text)
            continue;
        while (g >= 0 && !m->svg.group[g].clip)
            g = m->svg.group[g].parent;
        if (!within(&t->box, &(struct rect){ 0, 0, m->svg.width, m->svg.height }, 0.5) ||
            (g >= 0 && !within(&t->box, &m->svg.group[g].at, 0.5)))
            TELL(m, "'%s' at %.1f, %.1f is not all seen", t->text, t->box.x[0], t->box.y[0]), n++;
    }
    return n;
}

static int text_is_apart(const struct measured *m)
{
    int n = 0;

    for (size_t i = 0; i < m->svg.nitem; i++)
        for (size_t k = 0; m->svg.item[i].text && k < i; k++)
            if (m->svg.item[k].text && boxes_overlap(&m->svg.item[i].box, &m->svg.item[k].box) > 0.4)
                TELL(m, "'%s' lies on '%s'", m->svg.item[i].text, m->svg.item[k].text), n++;
    return n;
}

/* Words of data may be cut where the whole word stands elsewhere. */
static int text_is_whole(const struct measured *m)
{
    static const char dots[] = "\xe2\x80\xa6";
    int n = 0;

    for (size_t i = 0; i < m->svg.nitem; i++) {
        const char *text = m->svg.item[i].text, *cut = text ? strstr(text, dots) : NULL;
        char head[2000] = "", tail[2000];
        const char *at = m->words;
        bool whole = false;

        if (!cut)
            continue;
        snprintf(tail, sizeof tail, "%.*s", (int)(cut - text), text);
        squeeze(head, tail);
        squeeze(tail, cut + strlen(dots));
        while (*head && !whole && (at = strstr(at, head)) != NULL) {        /* with other letters where it is cut */
            at += strlen(head);
            whole = strncmp(at, dots, strlen(dots)) != 0 && strstr(at, tail) && strstr(at, tail) < at + 200;
        }
        if (!whole)
            TELL(m, "'%s' is cut", text), n++;
    }
    return n;
}

static int panels_fill_the_page(const struct measured *m)
{
    double area = 0, least = m->svg.height < 1.49 * m->svg.width ? LEAST_PANEL : LEAST_TALL;

    for (size_t i = 0; i < m->svg.ngroup; i++)
        if (strcmp(m->svg.group[i].name, "panel") == 0) {
            const struct rect *at = &m->svg.group[i].at;

            area += at->w * at->h;
            least = fabs(at->w - at->h) < 0.1 ? fmin(least, LEAST_SQUARE) : least;
        }
    if (area == 0 || !strchr(m->name, '-') || m->svg.width >= PAGE_NARROW || area >= least * m->svg.width * m->svg.height)
        return 0;
    TELL(m, "panels have %.1f %% of the page", 100 * area / (m->svg.width * m->svg.height));
    return 1;
}

static int series_are_named(const struct measured *m)
{
    int n = 0;

    for (size_t i = 0; i < m->svg.ngroup; i++) {
        const struct svg_group *g = &m->svg.group[i];

        if ((strcmp(g->name, "series") == 0 || strcmp(g->name, "highlight") == 0) && !says(m, g->title))
            TELL(m, "nothing says '%s'", g->title), n++;
    }
    return n;
}

/* A contrast of 4.5 with paper (WCAG 2.1), of what stands on paper. */
static int text_is_dark(const struct measured *m)
{
    int n = 0;

    for (size_t i = 0; i < m->svg.nitem; i++) {
        const struct svg_item *t = &m->svg.item[i];

        if (t->text && svg_within(&m->svg, t->group, "panel") < 0 && svg_within(&m->svg, t->group, "network") < 0 &&
            !(1.05 / (rgb_luminance(rgb_of(t->fill)) + 0.05) >= 4.5))
            TELL(m, "'%s' is too pale", t->text), n++;
    }
    return n;
}

/* ---- legends ----------------------------------------------------------------------------------------- */

enum pattern { DASHED, HOLLOW, HATCHED };

static bool has_pattern(const struct svg *s, const struct svg_item *item, enum pattern p)
{
    const bool legend = svg_within(s, item->group, "legend") >= 0;

    switch (p) {
    case DASHED: return *item->dash != '\0';
    case HOLLOW:
        return item->fill == 0xffffff && item->stroke != SVG_NONE && item->stroke != 0xffffff &&
            (legend || svg_within(s, item->group, "series") >= 0);
    default: return svg_clips(s, item->group) > (legend ? 0 : 1) && item->fill == SVG_NONE && !item->text;
    }
}

/* Of no series: such a sample stands for all. */
static bool is_grey(unsigned hex)
{
    return hex == SVG_NONE || (hex != 0 && hex % 256 * 0x010101 == hex);
}

/* Whether an item of the legend, or of the data, stands for one of the other. */
static bool has_like(const struct measured *m, const struct svg_item *item, enum pattern p, const char *where)
{
    for (size_t i = 0; i < m->svg.nitem; i++) {
        const struct svg_item *other = &m->svg.item[i];

        if (svg_within(&m->svg, other->group, where) >= 0 && has_pattern(&m->svg, other, p) &&
            (p == HATCHED || is_grey(item->stroke) || is_grey(other->stroke) || item->stroke == other->stroke))
            return true;
    }
    return false;
}

/* Rules by the text beside them, lines by their names where these stand beside them, others by the foot. */
static bool is_explained(const struct measured *m, const struct svg_item *item, enum pattern p)
{
    static const char *const word[] = { [DASHED] = "ashed", [HOLLOW] = "ollow", [HATCHED] = "atched" };
    const int rule = svg_within(&m->svg, item->group, "rule"), series = svg_within(&m->svg, item->group, "series");
    bool legend = false;

    for (size_t i = 0; i < m->svg.ngroup; i++)
        legend = legend || strcmp(m->svg.group[i].name, "legend") == 0;
    return has_like(m, item, p, "legend") || says(m, word[p]) || (p == HOLLOW && says(m, "open")) ||
        (rule >= 0 && says(m, m->svg.group[rule].title)) ||
        (p == DASHED && !legend && series >= 0 && says(m, m->svg.group[series].title));
}

static int patterns_are_explained(const struct measured *m)
{
    static const char *const name[] = { [DASHED] = "dashed", [HOLLOW] = "hollow", [HATCHED] = "hatched" };
    int n = 0;

    for (enum pattern p = DASHED; p <= HATCHED; p++) {
        int unexplained = 0, idle = 0;

        for (size_t i = 0; i < m->svg.nitem; i++) {
            const struct svg_item *item = &m->svg.item[i];
            const bool legend = svg_within(&m->svg, item->group, "legend") >= 0;

            if (!has_pattern(&m->svg, item, p) || (!legend && svg_within(&m->svg, item->group, "panel") < 0))
                continue;
            idle += legend && !has_like(m, item, p, "panel") && !has_like(m, item, p, "network");
            unexplained += !legend && !is_explained(m, item, p);
        }
        if (unexplained)
            TELL(m, "%d %s things in the data that nothing explains", unexplained, name[p]);
        if (idle)
            TELL(m, "%d %s samples in the legend of what is not there", idle, name[p]);
        n += unexplained + idle;
    }
    return n;
}

static void measure(struct measured *m, const char *path)
{
    const char *name = strrchr(path, '/') + 1;

    snprintf(m->name, sizeof m->name, "%.*s", (int)(strlen(name) - strlen(".svg")), name);
    svg_read(&m->svg, path);
    m->words = all_words(&m->svg);
}

static void measured_release(struct measured *m)
{
    svg_release(&m->svg);
    free(m->words);
}

/* ---- rules tried ------------------------------------------------------------------------------------- */

#define AT(x, y, length) "<text fill=\"#262626\" x=\"" #x "\" y=\"" #y "\" font-size=\"8\" textLength=\"" #length "\">"
#define PANEL "<g class=\"panel\" data-at=\"0 0 50 50\">\n<svg x=\"0\" y=\"0\" width=\"55\" height=\"55\">\n"
#define PANEL_END "</svg>\n</g>\n"
#define SERIES "<g class=\"series\"><title>dor &lt;1&gt;</title>\n"
#define LEGEND "<g class=\"legend\">\n" AT(60, 20, 30) "dor &lt;1&gt;</text>\n"
#define DASHES(colour) "<path stroke=\"#" colour "\" stroke-dasharray=\"5 2\" d=\"M1 1L9 9\"/>\n"
#define RING(colour) "<path fill=\"#ffffff\" stroke=\"#" colour "\" d=\"M1 1L9 9Z\"/>\n"
#define STRIPES "<svg x=\"1\" y=\"1\" width=\"5\" height=\"5\">\n<path stroke=\"#b8b8b8\" d=\"M1 1L9 9\"/>\n</svg>\n"

/* On a page of 100 x 50 points. */
static void rules_see_what_breaks_them(void **state)
{
    static const struct {
        int (*rule)(const struct measured *m);
        const char *body;
        int breaches;
    } rows[] = {
        { text_is_seen, AT(70, 20, 20) "load</text>", 0 }, { text_is_seen, AT(90, 20, 20) "load</text>", 1 },
        { text_is_seen, "<text fill=\"#262626\" transform=\"rotate(-90 9 45)\" x=\"9\" y=\"45\" font-size=\"8\" "
          "textLength=\"40\">load</text>", 0 },
        { text_is_seen, "<text fill=\"#262626\" transform=\"rotate(-90 9 45)\" x=\"9\" y=\"45\" font-size=\"8\" "
          "textLength=\"60\">load</text>", 1 },
        { text_is_seen, PANEL AT(30, 20, 20) "load</text>" PANEL_END, 0 },
        { text_is_seen, PANEL AT(40, 20, 20) "load</text>" PANEL_END, 1 },
        { text_is_apart, AT(10, 20, 20) "load</text>" AT(10, 30, 20) "load</text>", 0 },
        { text_is_apart, AT(10, 20, 20) "load</text>" AT(28, 22, 20) "load</text>", 1 },
        { text_is_apart, AT(10, 20, 20) "load</text><text fill=\"#262626\" transform=\"rotate(-90 20 30)\" x=\"20\" "
          "y=\"30\" font-size=\"8\" textLength=\"20\">load</text>", 1 },
        { text_is_whole, AT(10, 20, 20) "Lo\xe2\x80\xa6ps]</text>" AT(10, 40, 20) "Load [ho\xe2\x80\xa6s]</text>", 2 },
        { text_is_whole, AT(10, 20, 20) "Lo\xe2\x80\xa6ps]</text>" AT(10, 40, 20) "Load [hops]</text>", 0 },
        { text_is_whole, AT(10, 20, 20) "Load [hops]</text>", 0 },
        { panels_fill_the_page, PANEL PANEL_END, 1 },
        { panels_fill_the_page, PANEL PANEL_END "<g class=\"panel\" data-at=\"55 0 10 50\">\n</g>", 0 },
        { panels_fill_the_page, AT(10, 20, 20) "load</text>", 0 },
        { series_are_named, PANEL SERIES "</g>" PANEL_END, 1 },
        { series_are_named, PANEL SERIES "</g>" PANEL_END LEGEND "</g>", 0 },
        { series_are_named, PANEL SERIES "</g>" PANEL_END AT(60, 20, 9) "dor</text>" AT(60, 30, 9)
          "&lt;1&gt;</text>", 0 },
        { text_is_dark, "<text fill=\"#808080\" x=\"9\" y=\"9\" font-size=\"8\">x</text>", 1 },
        { text_is_dark, "<text fill=\"#666666\" x=\"9\" y=\"9\" font-size=\"8\">x</text>", 0 },
        { patterns_are_explained, PANEL SERIES DASHES("b83606") "</g>" PANEL_END LEGEND DASHES("b83606") "</g>", 0 },
        { patterns_are_explained, PANEL SERIES DASHES("b83606") "</g>" PANEL_END LEGEND "</g>", 1 },
        { patterns_are_explained, PANEL SERIES "</g>" PANEL_END LEGEND DASHES("b83606") "</g>", 1 },
        { patterns_are_explained, PANEL SERIES DASHES("b83606") "</g>" PANEL_END LEGEND DASHES("074195") "</g>", 2 },
        { patterns_are_explained, PANEL SERIES DASHES("b83606") "</g>" PANEL_END LEGEND DASHES("8c8c8c") "</g>", 0 },
        { patterns_are_explained, PANEL SERIES DASHES("b83606") "</g>" AT(9, 9, 9) "dor &lt;1&gt;</text>"
          PANEL_END, 0 },
        { patterns_are_explained, PANEL SERIES RING("b83606") "</g>" AT(9, 9, 9) "dor &lt;1&gt;</text>" PANEL_END, 1 },
        { patterns_are_explained, PANEL SERIES RING("b83606") "</g>" PANEL_END LEGEND RING("b83606") "</g>", 0 },
        { patterns_are_explained, PANEL SERIES RING("b83606") "</g>" PANEL_END AT(9, 9, 9)
          "Hollow: not valid.</text>", 0 },
        { patterns_are_explained, PANEL STRIPES PANEL_END, 1 },
        { patterns_are_explained, PANEL STRIPES PANEL_END LEGEND STRIPES "</g>", 0 },
        { patterns_are_explained, PANEL PANEL_END LEGEND STRIPES "</g>", 1 },
        { patterns_are_explained, PANEL STRIPES PANEL_END AT(9, 9, 9) "Hatched: no value.</text>", 0 } };
    static const char path[] = FOLDER "/made-84.svg";

    (void)state;
    mkdir("out", 0777);
    mkdir(FOLDER, 0777);
    EACH_ROW(i, rows) {
        struct measured m = { .name = "" };
        char text[2000];
        int got;

        snprintf(text, sizeof text, "<svg width=\"100pt\" height=\"50pt\">\n%s</svg>\n", rows[i].body);
        child_write(path, text);
        measure(&m, path);
        got = rows[i].rule(&m);
        measured_release(&m);
        if (got != rows[i].breaches)
            fail_msg("row %zu: %d breaches, not %d", i, got, rows[i].breaches);
    }
    remove(path);
}

/* ---- all figures ------------------------------------------------------------------------------------- */

static int all(int (*rule)(const struct measured *m))
{
    int broken = 0;

    for (size_t i = 0; i < nfigure; i++)
        broken += rule(&figure[i]) > 0;
    return broken;
}

#define RULE(name)                                                                                                     \
    static void all_##name(void **state)                                                                               \
    {                                                                                                                  \
        const int broken = all(name);                                                                                  \
                                                                                                                       \
        (void)state;                                                                                                   \
        if (CHILD_ASAN)                                                                                                \
            skip();                                                                                                    \
        if (broken)                                                                                                    \
            fail_msg("%d of %zu figures", broken, nfigure);                                                            \
    }
RULE(text_is_seen)
RULE(text_is_apart)
RULE(text_is_whole)
RULE(panels_fill_the_page)
RULE(series_are_named)
RULE(text_is_dark)
RULE(patterns_are_explained)

/* The script draws what it can, and says what it cannot. */
static void all_are_drawn(void **state)
{
    glob_t script;
    size_t plain = 0, sized = 0;

    (void)state;
    if (CHILD_ASAN)
        skip();
    for (size_t i = 0; i < nfigure; i++) {
        const char *size = strchr(figure[i].name, '-');

        *(size ? &sized : &plain) += 1;
        if (size)
            check_near(figure[i].svg.width * 25.4 / 72, strtod(size + 1, NULL), 0.01);
    }
    assert_true(plain >= FIGURES);
    if (glob(FOLDER "/gallery/*-*.txt", 0, NULL, &script) == 0) {
        for (size_t i = 0; i < script.gl_pathc; i++) {
            char *text = child_file(script.gl_pathv[i], NULL);

            if (text && strstr(text, "metapath: "))
                print_error("%s: %s", script.gl_pathv[i], strstr(text, "metapath: "));
            free(text);
        }
        globfree(&script);
    }
    if (sized != 4 * plain)
        fail_msg("%zu figures, and %zu at four other sizes", plain, sized);
}

static int gallery_draw(void **state)
{
    glob_t found;

    (void)state;
    if (CHILD_ASAN)
        return 0;
    if (system("SIZES='" SIZES "' sh examples/gallery.sh out/metapath " FOLDER " > /dev/null") != 0)
        return -1;
    if (glob(FOLDER "/gallery/*.svg", 0, NULL, &found) != 0)
        return -1;
    figure = calloc(found.gl_pathc, sizeof *figure);
    for (size_t i = 0; figure && i < found.gl_pathc; i++)
        measure(&figure[nfigure++], found.gl_pathv[i]);
    globfree(&found);
    return figure ? 0 : -1;
}

static int gallery_release(void **state)
{
    (void)state;
    for (size_t i = 0; i < nfigure; i++)
        measured_release(&figure[i]);
    free(figure);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_see_what_breaks_them), cmocka_unit_test(all_are_drawn),
        cmocka_unit_test(all_text_is_seen), cmocka_unit_test(all_text_is_apart), cmocka_unit_test(all_text_is_whole),
        cmocka_unit_test(all_panels_fill_the_page), cmocka_unit_test(all_series_are_named),
        cmocka_unit_test(all_text_is_dark), cmocka_unit_test(all_patterns_are_explained) };

    return cmocka_run_group_tests(tests, gallery_draw, gallery_release);
}
