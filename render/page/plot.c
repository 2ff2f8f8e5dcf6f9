/* plot.c -- from something to draw to the bytes of a file. */
#include "render/page/plot.h"

#include <pango/pangocairo.h>
#include <strings.h>

#include "graph/base/file.h"
#include "render/page/canvas.h"

#include "registry/plot.inc"

KIND(plot, plot, struct plot_format, .name = "plot-format", .rank = 18)

#define NPLOT (sizeof plot_all / sizeof *plot_all - 1)

static const struct plot_format *format_for(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && plot_all[i]; i++)
        if (strcasecmp(dot, plot_all[i]->extension) == 0)
            return plot_all[i];
    return NULL;
}

int figure_check_path(const char *path, struct err *err)
{
    const char *dot = strrchr(path, '.'), *name[NPLOT];
    char known[120], nearest[80] = "";

    if (format_for(path))
        return 0;
    for (size_t i = 0; i < NPLOT; i++)
        name[i] = plot_all[i]->extension;
    if (dot && !strchr(dot, '/'))
        text_suggest(nearest, dot, name, NPLOT);
    return err_set(err, ERR_USAGE, "the figure '%.200s' must end in %s%s", path,
                   text_list(known, sizeof known, name, NPLOT, " or "), nearest);
}

int page_size(struct page *page, const char *text, struct err *err)
{
    static const struct {
        const char *name;
        double width_mm;
    } named[] = { { "column", 84 }, { "one-and-half", 127 }, { "two-columns", 174 } };
    char width[40];
    const char *x = strchr(text, 'x');
    size_t len = x ? (size_t)(x - text) : strlen(text);

    page->height_mm = 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(text, named[i].name) == 0) {
            page->width_mm = named[i].width_mm;
            return 0;
        }
    if (len == 0 || len >= sizeof width || !strchr("0123456789.", text[0]))
        return err_set(err, ERR_USAGE, "--size is '%.40s'; it is a width in mm (140), WIDTHxHEIGHT (140x90), column, "
                       "one-and-half or two-columns", text);
    memcpy(width, text, len);
    width[len] = '\0';
    if (num_real(&page->width_mm, width, "the width of --size", err) < 0 ||
        (x && num_real(&page->height_mm, x + 1, "the height of --size", err) < 0))
        return -1;
    if (page->width_mm < 40 || page->width_mm > 2000 || (x && (page->height_mm < 40 || page->height_mm > 2000)))
        return err_set(err, ERR_USAGE, "--size is '%.40s'; sides of 40 to 2000 mm can be drawn", text);
    return 0;
}

/* What a drawing turned out to be. */
struct drawn {
    bool crowded, cramped;
    size_t cut, nameless;
    char told[PAGE_TOLD];
};

/* Draws once: into the sink, or (format NULL) as a rehearsal. */
static int draw_once(struct sink *sink, struct drawn *d, const struct figure *f, const struct page *page,
                     const struct plot_format *format, struct err *err)
{
    struct page own = *page;
    struct canvas c;
    int ret;

    free(sink->bytes);
    *sink = (struct sink){ 0 };
    if ((f->shape && f->shape(f->data, &own, err) < 0) || canvas_open(&c, &own, err) < 0)
        return -1;
    c.sink = sink;
    ret = format ? format->begin(&c, f, err) : 0;
    if (ret == 0)
        ret = f->draw(&c, f->data, err);
    if (ret == 0 && c.failed)
        ret = c.stopped ? err_stopped(err) : err_memory(err);
    if (format && format->end(&c, ret < 0, err) < 0)
        ret = -1;
    if (ret == 0 && sink->failed)
        ret = err_memory(err);
    if (ret == 0) {
        *d = (struct drawn){ f->shape && text_crowded(&c), c.cramped, c.cut, c.nameless, "" };
        memcpy(d->told, c.told, sizeof c.told);
    }
    canvas_close(&c);
    return ret;
}

/* Does it lack room that it has with the usual letters? */
static bool lacks(const struct drawn *d, const struct drawn *usual)
{
    return d->cut > usual->cut || d->cramped > usual->cramped;
}

/* "84x52", or "84" where the height is open. */
static const char *page_words(char out[40], const struct page *page)
{
    snprintf(out, 40, page->height_mm > 0 ? "%.0fx%.0f" : "%.0f", page->width_mm > 0 ? page->width_mm : PAGE_WIDTH,
             page->height_mm);
    return out;
}

/* The message names a size of page on which letters as large as those asked for have room. */
static int refuse(const struct figure *f, const struct page *page, const struct drawn *usual, struct err *err)
{
    const double letters = canvas_letters(page);
    struct page own = *page;
    struct sink none = { 0 };
    struct drawn d = { .crowded = true };
    char size[40], given[40];

    while (d.crowded || lacks(&d, usual)) {
        own.width_mm = ceil(1.1 * (own.width_mm > 0 ? own.width_mm : PAGE_WIDTH));
        own.height_mm = ceil(1.1 * own.height_mm);
        if (fmax(own.width_mm, own.height_mm) > PAGE_MOST)
            return err_set(err, ERR_DOMAIN, "the figure has no room for its letters on any page; draw less of it, or "
                           "choose smaller ones by --font-size");
        if (draw_once(&none, &d, f, &own, NULL, err) < 0)
            return -1;
    }
    return err_set(err, ERR_DOMAIN, "letters of %g points have no room on a page of --size %s, nor have smaller ones; "
                   "they have on --size %s", letters, page_words(given, page), page_words(size, &own));
}

int figure_draw(struct sink *sink, const struct figure *f, const struct page *page, const struct plot_format *format,
                struct err *err)
{
    const struct page given = page ? *page : (struct page){ 0 };
    struct page own = given;
    const double asked = canvas_letters(&own), usual = canvas_letters(&(struct page){ .width_mm = own.width_mm });
    struct drawn d = { 0 }, with_usual = { .cramped = true, .cut = SIZE_MAX };
    int ret = 0;

    *sink = (struct sink){ 0 };
    own.font_size = usual;
    if (f->shape && asked > usual && draw_once(sink, &with_usual, f, &own, NULL, err) < 0)
        return -1;
    own.font_size = asked;
    for (int counts = 0;;) {
        const double letters = canvas_letters(&own);

        ret = draw_once(sink, &d, f, &own, format, err);
        if (ret < 0 || !f->shape)
            break;
        if ((d.crowded && letters > LETTERS_LEAST) || (lacks(&d, &with_usual) && letters > usual)) {
            own.font_size = fmax((letters > 2 * usual ? 0.7 : 0.9) * letters, d.crowded ? LETTERS_LEAST : usual);
        } else if (!d.crowded && d.nameless != own.nameless && own.nameless != NAMELESS_SOME) {
            own.nameless = counts++ < 3 ? d.nameless : NAMELESS_SOME;   /* what says so took room itself */
        } else {
            ret = d.crowded ? refuse(f, &given, &with_usual, err) : 0;
            break;
        }
    }
    if (ret == 0 && own.told)
        snprintf(own.told, PAGE_TOLD, "%s", d.told);
    if (ret == 0 && own.told && canvas_letters(&own) < asked)
        snprintf(own.told + strlen(d.told), PAGE_TOLD - strlen(d.told), "%sLetters are of %.2g points: those of %g "
                 "have no room.", *d.told ? " " : "", canvas_letters(&own), asked);
    if (ret < 0) {
        free(sink->bytes);
        *sink = (struct sink){ 0 };
    }
    return ret;
}

int figure_write(const struct figure *f, const struct page *page, const char *path, struct err *err)
{
    struct sink sink;
    struct output out;

    if (figure_check_path(path, err) < 0 || figure_draw(&sink, f, page, format_for(path), err) < 0)
        return -1;
    if (output_open(&out, path, err) < 0) {
        free(sink.bytes);
        return -1;
    }
    fwrite(sink.bytes, 1, sink.n, out.stream);      /* output_commit looks at the stream */
    free(sink.bytes);
    return output_commit(&out, err);
}

/* Not cairo_debug_reset_static_data() and FcFini(): pango looks for fonts in threads of its own, which may still hold
 * some, and cairo aborts then. What those two would free is reachable to the end, so no leak. */
void figure_teardown(void)
{
    pango_cairo_font_map_set_default(NULL);
}
