#include "tests/support/svg.h"

#include <string.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

#include "graph/base/grow.h"

/* ---- tags -------------------------------------------------------------------------------------------- */

struct tag {
    const char *at, *end;       /* "<name a="b">": its first byte, behind its last */
};

/* The value of an attribute and its length; NULL: there is none. */
static const char *value(const struct tag *t, const char *name, size_t *len)
{
    char key[40];
    const char *at, *end;

    snprintf(key, sizeof key, " %s=\"", name);
    at = memmem(t->at, (size_t)(t->end - t->at), key, strlen(key));
    if (!at)
        return NULL;
    at += strlen(key);
    end = strchr(at, '"');
    *len = (size_t)(end - at);
    return at;
}

static double number(const struct tag *t, const char *name, double none)
{
    size_t len;
    const char *at = value(t, name, &len);

    return at ? strtod(at, NULL) : none;
}

static unsigned colour(const struct tag *t, const char *name)
{
    size_t len;
    const char *at = value(t, name, &len);

    return at && *at == '#' ? (unsigned)strtoul(at + 1, NULL, 16) : SVG_NONE;
}

static bool is(const struct tag *t, const char *name)
{
    const size_t n = strlen(name);

    return strncmp(t->at + 1, name, n) == 0 && strchr(" >/", t->at[1 + n]);
}

static bool next_tag(struct tag *t, const char *from)
{
    t->at = strchr(from, '<');
    t->end = t->at ? strchr(t->at, '>') : NULL;
    if (t->end)
        t->end++;
    return t->end != NULL;
}

/* Appends what stands from..to as plain text. */
static void append(char *out, size_t size, const char *from, const char *to)
{
    static const char *const entity[][2] = { { "&lt;", "<" }, { "&gt;", ">" }, { "&amp;", "&" }, { "&quot;", "\"" } };
    size_t n = strlen(out);

    while (from < to && n + 1 < size) {
        size_t k = 0;

        while (k < COUNT(entity) && strncmp(from, entity[k][0], strlen(entity[k][0])) != 0)
            k++;
        out[n++] = k < COUNT(entity) ? *entity[k][1] : *from;
        from += k < COUNT(entity) ? strlen(entity[k][0]) : 1;
    }
    out[n] = '\0';
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* One piece of a text: its letters, and its box before it is turned, taken in. */
static void add_piece(struct svg_item *item, struct canvas *measure, const struct tag *t, double box[4])
{
    const char *end = strchr(t->end, '<');
    const double x = number(t, "x", 0), y = number(t, "y", 0), size = number(t, "font-size", 8);
    char piece[600] = "";
    double w, up, down;

    append(piece, sizeof piece, t->end, end);
    w = number(t, "textLength", NAN);
    if (isnan(w)) {
        const struct text one = { .text = piece, .size = size };

        w = text_width(measure, &one);
    }
    up = strpbrk(piece, "bdfhiklt0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ()[]{}/|%'\"") ? 0.74 : 0.56;
    down = strpbrk(piece, "gjpqy,;()[]{}|/_Q\xc2\xce") ? 0.21 : 0.01;
    box[0] = fmin(box[0], x);
    box[1] = fmin(box[1], y - up * size);
    box[2] = fmax(box[2], x + w);
    box[3] = fmax(box[3], y + down * size);
    append(item->text, 2000, t->end, end);
}

static void add_text(struct svg_item *item, struct canvas *measure, const struct tag *t)
{
    const char *end = strstr(t->end, "</text>");
    size_t len;
    const char *turn = value(t, "transform", &len);
    double box[4] = { INFINITY, INFINITY, -INFINITY, -INFINITY }, angle = 0, ox = 0, oy = 0;
    struct tag piece = *t;

    assert_non_null(end);
    item->text = calloc(2000, 1);
    assert_non_null(item->text);
    if (turn)
        assert_int_equal(sscanf(turn, "rotate(%lf %lf %lf)", &angle, &ox, &oy), 3);
    if (value(t, "x", &len))
        add_piece(item, measure, t, box);
    while (next_tag(&piece, piece.end) && piece.at < end)
        if (is(&piece, "tspan"))
            add_piece(item, measure, &piece, box);
    for (int i = 0; i < 4; i++) {
        const double x = (i == 0 || i == 3 ? box[0] : box[2]) - ox, y = (i < 2 ? box[1] : box[3]) - oy;
        const double c = cos(angle * M_PI / 180), s = sin(angle * M_PI / 180);

        item->box.x[i] = ox + c * x - s * y;
        item->box.y[i] = oy + s * x + c * y;
    }
    item->box.text = true;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static int open_group(struct svg *s, const struct tag *t, int parent)
{
    struct err err;
    struct svg_group g = { .parent = parent, .clip = is(t, "svg") };
    size_t len;
    const char *at = value(t, "class", &len);

    if (at)
        append(g.name, sizeof g.name, at, at + len);
    at = value(t, "data-at", &len);
    if (at)
        assert_int_equal(sscanf(at, "%lf %lf %lf %lf", &g.at.x, &g.at.y, &g.at.w, &g.at.h), 4);
    if (g.clip)
        g.at = (struct rect){ number(t, "x", 0), number(t, "y", 0), number(t, "width", 0), number(t, "height", 0) };
    if (strncmp(t->end, "<title>", 7) == 0)
        append(g.title, sizeof g.title, t->end + 7, strstr(t->end, "</title>"));
    assert_int_equal(GROW(&s->group_room, s->ngroup + 1, "groups", &err, GROWN(s->group)), 0);
    s->group[s->ngroup++] = g;
    return (int)s->ngroup - 1;
}

static void add_item(struct svg *s, struct canvas *measure, const struct tag *t, int group)
{
    struct err err;
    struct svg_item item = { .group = group, .fill = colour(t, "fill"), .stroke = colour(t, "stroke"),
                             .image = is(t, "image") };
    size_t len;
    const char *dash = value(t, "stroke-dasharray", &len);

    if (dash)
        append(item.dash, sizeof item.dash, dash, dash + len);
    if (is(t, "text"))
        add_text(&item, measure, t);
    assert_int_equal(GROW(&s->item_room, s->nitem + 1, "items", &err, GROWN(s->item)), 0);
    s->item[s->nitem++] = item;
}

void svg_read(struct svg *s, const char *path)
{
    char *bytes = child_file(path, NULL);
    struct err err = { 0 };
    struct canvas measure;
    struct tag t;
    int group = -1;

    if (!bytes)
        fail_msg("there is no %s", path);
    assert_int_equal(canvas_open(&measure, NULL, &err), 0);
    *s = (struct svg){ 0 };
    for (const char *at = bytes; next_tag(&t, at); at = t.end) {
        if (is(&t, "svg") && s->width == 0) {
            s->width = number(&t, "width", 0);
            s->height = number(&t, "height", 0);
        } else if (is(&t, "g") || is(&t, "svg")) {
            group = open_group(s, &t, group);
        } else if (is(&t, "/g") || (is(&t, "/svg") && group >= 0)) {
            assert_true(group >= 0);
            group = s->group[group].parent;
        } else if (is(&t, "path") || is(&t, "text") || is(&t, "image")) {
            add_item(s, &measure, &t, group);
        }
    }
    if (s->width <= 0 || group >= 0)
        fail_msg("%s is no figure, or not whole", path);
    canvas_close(&measure);
    free(bytes);
}

void svg_release(struct svg *s)
{
    for (size_t i = 0; i < s->nitem; i++)
        free(s->item[i].text);
    free(s->item);
    free(s->group);
    *s = (struct svg){ 0 };
}

int svg_within(const struct svg *s, int group, const char *name)
{
    while (group >= 0 && strcmp(s->group[group].name, name) != 0)
        group = s->group[group].parent;
    return group;
}

int svg_clips(const struct svg *s, int group)
{
    int n = 0;

    for (; group >= 0; group = s->group[group].parent)
        n += s->group[group].clip;
    return n;
}
