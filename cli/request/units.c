/* Cycles, flits and parts of a link in seconds, bytes and bits (units.h).
 *   options            --line-rate, --flit and --cable-time
 *   values with units  of options, of which those that need the flit or the link wait until these are read
 *   columns            headings, names and numbers of a table, made over as rows are added
 *   networks           bandwidths and latencies of files, in unit links and cycles */
#include "cli/request/units.h"
#include "cli/request/options.h"
#include "texts/option.h"

#define ABOUT(member) INTO_OF(struct options, member)

/* ---- options ---- */

static int units_take(double *out, const char *arg, enum quantity kind, const char *what, struct err *err)
{
    bool unit;
    double v;

    if (quantity_parse(&v, &unit, arg, kind, what, err) < 0)
        return -1;
    if (!unit)
        return err_set(err, ERR_USAGE, "%s is '%.40s'; write its unit, as in %s", what, arg,
                       kind == QUANTITY_RATE ? "200Gb/s" : "32B");
    if (!(v >= 1))
        return err_set(err, ERR_USAGE, "%s is %.40s; it must be at least 1 %s", what, arg,
                       kind == QUANTITY_RATE ? "b/s" : "byte");
    if (quantity_limit(v, arg, kind, what, err) < 0)
        return -1;
    *out = v;
    return 0;
}

static int take_line_rate(void *about, const char *arg, struct err *err)
{
    struct units *u = &((struct options *)about)->units;

    u->given = true;
    return units_take(&u->rate, arg, QUANTITY_RATE, "--line-rate", err);
}

static int take_flit(void *about, const char *arg, struct err *err)
{
    return units_take(&((struct options *)about)->units.flit, arg, QUANTITY_SIZE, "--flit", err);
}

const struct option_field units_options[] = {
    { .help = "Units:", .group = 5 },
    { OPTION_UNITS_LINE_RATE, 5, .take = take_line_rate },
    { OPTION_UNITS_FLIT, 5, .take = take_flit }, { 0 }
};
const struct option_field units_cable_options[] = {
    { OPTION_UNITS_CABLE_TIME, 5, ABOUT(units.cable), .to = CABLES_LONGEST, .quantity = QUANTITY_TIME }, { 0 }
};

/* ---- values with units ---- */

static const char *units_what(char out[40], const struct option_field *field)
{
    snprintf(out, 40, "--%s", field->name);
    return out;
}

int units_defer(struct units *u, const struct option_field *field, void *about, const char *arg, struct err *err)
{
    char what[40], *plain;
    size_t i = 0;

    if (quantity_rewrite(&plain, arg, field->quantity, 1, units_what(what, field), err) < 0)
        return -1;
    free(plain);
    while (i < u->ndeferred && u->deferred[i].field != field)
        i++;
    if (i == UNITS_DEFERRED)
        return err_set(err, ERR_INTERNAL, "more than %d options have units", UNITS_DEFERRED);
    u->deferred[i].field = field;
    u->deferred[i].about = about;
    u->deferred[i].arg = arg;
    u->ndeferred += i == u->ndeferred;
    return 0;
}

bool units_want_rate(const struct units *u)
{
    return u->rate == 0 && (u->flit > 0 || u->ndeferred > 0);
}

/* How much of its unit a cycle, a flit or a unit link is; 0: not known. */
static double units_one(const struct units *u, enum quantity kind)
{
    return kind == QUANTITY_SIZE ? u->flit : kind == QUANTITY_RATE ? u->rate :
        u->rate > 0 ? u->flit * 8 / u->rate : 0;
}

int units_settle(struct units *u, struct err *err)
{
    for (size_t i = 0; i < u->ndeferred; i++) {
        const struct option_field *f = u->deferred[i].field;
        const double one = units_one(u, f->quantity);
        const bool rate = u->rate == 0 && f->quantity != QUANTITY_SIZE, flit = u->flit == 0 &&
            f->quantity != QUANTITY_RATE;
        char what[40];

        if (one == 0)
            return err_set(err, ERR_USAGE, "--%s %.40s: say %s%s%s, or write it in %s", f->name, u->deferred[i].arg,
                           rate ? "--line-rate, what a link carries" : "", rate && flit ? ", and " : "",
                           flit ? "--flit, the length of a flit" : "", f->quantity == QUANTITY_SIZE ? "flits" :
                           f->quantity == QUANTITY_TIME ? "cycles" : "flits per node and cycle");
        free(u->deferred[i].plain);
        u->deferred[i].plain = NULL;
        if (quantity_rewrite(&u->deferred[i].plain, u->deferred[i].arg, f->quantity, one, units_what(what, f),
                             err) < 0)
            return -1;
        if (option_take(f, u->deferred[i].about, u->deferred[i].plain, err) < 0)
            return err_at(err, "--%s %.40s", f->name, u->deferred[i].arg);
    }
    return 0;
}

/* ---- columns ---- */

static const struct {
    const char *suffix, *shown;
    double per;                 /* of them in a second, of bits per second in one */
} times[] = { { "_ns", "ns", 1e9 }, { "_us", "µs", 1e6 }, { "_ms", "ms", 1e3 }, { "_s", "s", 1 } },
  rates[] = { { "_bit_per_s", "b/s", 1 }, { "_kbit_per_s", "Kb/s", 1e3 }, { "_mbit_per_s", "Mb/s", 1e6 },
              { "_gbit_per_s", "Gb/s", 1e9 } };

/* The unit of time of which a cycle is a tenth at least; of rates the greatest that the line's has. */
static size_t units_scale(const struct units *u, bool time)
{
    size_t i = 0;

    if (time)
        while (i + 1 < 4 && u->flit * 8 * times[i + 1].per >= 0.1 * u->rate)
            i++;
    else
        while (i + 1 < 4 && u->rate >= rates[i + 1].per)
            i++;
    return i;
}

/* Loads: their unit stands in the title. */
static bool units_load(const struct column *c)
{
    static const char *const load[] = { "load", "accepted_load", "capacity_load", "saturation_load",
                                        "offered_load", "accepted_load_confidence" };
    bool is = c->unit && strcmp(c->unit, "of a link") == 0;

    for (size_t i = 0; i < sizeof load / sizeof *load && !c->unit; i++)
        is = is || strcmp(c->name, load[i]) == 0;
    return is;
}

/* What becomes of a column: its name loses `cut` characters and gains a suffix. False: nothing. */
static bool units_column(const struct units *u, struct column *c, size_t *cut, const char **suffix, double *factor)
{
    const bool cycle = u->rate > 0 && u->flit > 0;
    const char *unit = c->unit ? c->unit : "";

    *cut = 0;
    if (units_load(c) && u->rate > 0) {
        const size_t i = units_scale(u, false);

        *suffix = rates[i].suffix;
        *factor = u->rate / rates[i].per;
        c->unit = rates[i].shown;
    } else if (cycle && strcmp(unit, "cycles") == 0) {
        const size_t i = units_scale(u, true);

        *cut = strlen("_cycles");
        *suffix = times[i].suffix;
        *factor = u->flit * 8 * times[i].per / u->rate;
        c->unit = times[i].shown;
        return true;
    } else if (cycle && strcmp(unit, "messages per cycle") == 0) {
        *cut = strlen("_per_cycle");
        *suffix = "_per_s";
        *factor = u->rate / (u->flit * 8);
        c->unit = "messages/s";
    } else if (u->flit > 0 && strcmp(unit, "flits") == 0) {
        *cut = strlen("_flits");
        *suffix = "_bytes";
        *factor = u->flit;
        c->unit = "bytes";
    } else {
        return false;
    }
    c->decimals = c->decimals == COLUMN_ASIDE ? COLUMN_ASIDE : -1;
    return true;
}

int units_columns(struct units *u, struct table *t, struct column *column, struct err *err)
{
    char text[40], flit[40], rate[40];

    if (u->rate > 0)
        table_request(t, "line_rate", quantity_text(text, u->rate, QUANTITY_RATE));
    if (u->flit > 0)
        table_request(t, "flit", quantity_text(text, u->flit, QUANTITY_SIZE));
    if (u->cable > 0)
        table_request(t, "cable_time", units_time(text, u, u->cable));
    if (u->rate == 0 && u->flit == 0)
        return 0;
    if (u->rate > 0 && u->flit > 0)
        table_note(t, "A cycle is %s: what a unit link of %s takes for a flit of %s.", units_time(text, u, 1),
                   quantity_text(rate, u->rate, QUANTITY_RATE), quantity_text(flit, u->flit, QUANTITY_SIZE));
    if (TAKE("the request", err, ZEROS(u->asked, t->ncolumn), ZEROS(u->name, t->ncolumn)) < 0)
        return -1;
    for (size_t i = 0; i < t->ncolumn; i++) {
        const char *suffix;
        size_t cut;

        u->asked[i] = (struct column_asked){ column[i].name, 1 };
        if (!units_column(u, &column[i], &cut, &suffix, &u->asked[i].factor))
            continue;
        if (asprintf(&u->name[u->nname], "%.*s%s", (int)(strlen(column[i].name) - cut), column[i].name, suffix) < 0) {
            u->name[u->nname] = NULL;
            return err_memory(err);
        }
        column[i].name = u->name[u->nname++];
    }
    t->asked = u->asked;
    return 0;
}

static bool units_named_so(struct column *column, const char *name, const struct units *u)
{
    struct column as = *column;
    const char *suffix;
    double factor;
    size_t cut, stem;

    if (!units_column(u, &as, &cut, &suffix, &factor))
        return false;
    stem = strlen(column->name) - cut;
    if (strncmp(name, column->name, stem) != 0 || strcmp(name + stem, suffix) != 0)
        return false;
    as.name = name;
    *column = as;
    return true;
}

bool units_named(struct column *column, const char *name)
{
    enum { EACH = sizeof times / sizeof *times };

    if (strcmp(column->name, name) == 0)
        return true;
    for (size_t i = 0; i < EACH; i++)                   /* a unit for a rate, and a cycle that is one for a time */
        for (size_t k = 0; k <= EACH; k++) {
            const struct units u = { .rate = rates[i].per, .flit = k < EACH ? rates[i].per / 8 / times[k].per : 0 };

            if (units_named_so(column, name, &u))
                return true;
        }
    return units_named_so(column, name, &(struct units){ .flit = 1 });
}

/* ---- networks ---- */

int units_measure(const struct units *u, struct net *net, bool timed, struct table *t, struct err *err)
{
    const double own = net->cables.rate, cycle = units_one(u, QUANTITY_TIME);
    char text[40], other[40];

    if (u->rate > 0 && !u->given && !(fabs(own - u->rate) <= 1e-9 * u->rate))
        return err_set(err, ERR_USAGE, "%.200s has unit links of %s, and the first network of %s: give --line-rate, "
                       "one for all", net->spec, own > 0 ? quantity_text(text, own, QUANTITY_RATE) : "unknown rate",
                       quantity_text(other, u->rate, QUANTITY_RATE));
    if (timed && net->cables.times && !(cycle > 0))
        return err_set(err, ERR_USAGE, "%.200s gives links lengths in seconds: say%s --flit, so that it is known "
                       "what a cycle is", net->spec, own > 0 || u->rate > 0 ? "" : " --line-rate and");
    if (cables_measure(net, u->rate > 0 ? u->rate : (double)NAN, cycle > 0 ? cycle : (double)NAN, u->cable, err) < 0)
        return -1;
    if (own > 0 && !u->given)
        table_note(t, "%s: a unit link is one of %s, the slowest at a terminal.", net->spec,
                   quantity_text(text, own, QUANTITY_RATE));
    return 0;
}

const char *units_time(char out[40], const struct units *u, double cycles)
{
    const double one = units_one(u, QUANTITY_TIME);

    if (one > 0)
        return quantity_text(out, cycles * one, QUANTITY_TIME);
    snprintf(out, 40, "%g", cycles);
    return out;
}

void units_release(struct units *u)
{
    for (size_t i = 0; i < u->ndeferred; i++)
        free(u->deferred[i].plain);
    mem_free_list(u->name, u->nname);
    free(u->asked);
    *u = (struct units){ 0 };
}
