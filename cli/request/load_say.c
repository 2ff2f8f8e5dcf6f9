/* load_say.c -- what the title of a table, or the line under it, says of sources, switching and routers (load.h). */
#include "cli/request/load.h"
#include "model/routing/classes.h"

/* Settings as they are said: by the user, in the title; and all, or with what else was assumed the few that people need
 * most, under the table. */
struct settings {
    char given[240], below[400];
    bool all;
};
enum { DETAIL = 1, GIVEN = 2 };

static void __attribute__((format(printf, 3, 4))) settings_add(struct settings *s, int how, const char *fmt, ...)
{
    char *list[] = { how & GIVEN ? s->given : NULL, s->all || !(how & (GIVEN | DETAIL)) ? s->below : NULL };
    const size_t size[] = { sizeof s->given, sizeof s->below };

    for (int i = 0; i < 2; i++) {
        const size_t n = list[i] ? strlen(list[i]) : 0;
        va_list args;

        if (!list[i] || n + 2 >= size[i])
            continue;
        strcpy(list[i] + n, n ? ", " : "");
        va_start(args, fmt);
        vsnprintf(list[i] + strlen(list[i]), size[i] - strlen(list[i]), fmt, args);
        va_end(args);
    }
}

/* What has no choice of routers by its name, others as "4 virtual channels of 8 flits", "no crossbar speedup", ... */
static void settings_router(struct settings *to, const struct load_request *q, const struct units *units,
                            const struct latency_options *study)
{
    const struct collide_options *o = &study->collide;
    const struct router *r = &o->router;
    const bool own = o->switching == &switching_virtual_channel, vcs = q->router.vcs || !isnan(q->router.buffer);
    const struct classes_kind *scheme = study->classes ? classes_named(study->classes) : NULL;
    char time[40], classes[60] = "", channels[60] = "";
    const char *buffers = r->vcs == 1 ? "" : "s";

    if (scheme && scheme->open)         /* more than one class */
        snprintf(classes, sizeof classes, " in classes by %.40s", study->classes);
    if (own || (isfinite(r->vcs) && !o->switching->hold))
        snprintf(channels, sizeof channels, "%s%g virtual channel%s of %g flit%s", own ? "" : ", ", r->vcs, buffers,
                 r->buffer, r->buffer == 1 ? "" : "s");
    settings_add(to, q->switching || vcs || study->classes || q->drb ? GIVEN : 0, "%s%s%s",
                 own ? "" : o->switching->name, channels, classes);
    if (own) {
        settings_add(to, q->router.crossbar >= 0 ? GIVEN : DETAIL, "%s", r->speedup ? "crossbar with speedup" :
                     "no crossbar speedup");
        settings_add(to, q->router.interleave >= 0 ? GIVEN : DETAIL, "%s interleaved", r->packets ? "packets" : "flits");
        if (r->credit_loop > 0)
            settings_add(to, GIVEN, "credit loop %s", units_time(time, units, r->credit_loop));
        else
            settings_add(to, DETAIL, "credit loop within the buffer");
    }
    if (r->time > 0)
        settings_add(to, GIVEN, "router time %s", units_time(time, units, r->time));
}

static void load_said(struct job *j, struct load_request *q, const struct latency_options *o)
{
    static const struct {
        const char *column;
        bool open;
        int decimals;
    } shown[] = {
        { "interval_cycles", false, -1 }, { "load", true, 4 }, { "accepted_load", false, YIELDS(4) },
        { "source_wait_cycles", true, YIELDS(2) }, { "utilisation", false, YIELDS(3) },
        { "capacity_interval_cycles", false, YIELDS(-1) }, { "capacity_load", true, YIELDS(4) },
        { "saturation_interval_cycles", false, YIELDS_LAST(-1) },
        { "saturation_load", true, YIELDS_LAST(4) }
    };
    struct load_said *s = &q->said;
    const bool several = s->switching && s->switching != o->collide.switching;
    const int load = table_find(j->t, "load");
    struct settings to = { .all = j->o->wide || !j->o->format->people };
    char time[40];

    if (!s->plain)
        s->plain = j->t->title;
    s->open = s->open || o->open;
    s->closed = s->closed || !o->open;
    s->several = s->several || several;
    s->switching = o->collide.switching;
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        const int at = table_find(j->t, shown[i].column);

        if (at >= 0 && shown[i].open == o->open && j->column[at].decimals == COLUMN_ASIDE)
            j->column[at].decimals = shown[i].decimals - (j->column[at].unit && shown[i].decimals % 100 == 4 ? 5 : 0);
    }
    settings_add(&to, s->sources || q->loop >= 0 || q->drb ? GIVEN : s->closed ? 0 : DETAIL, "%s%s%s",
                 s->open && !s->sources ? "open" : "", s->open && s->closed ? " and " : "",
                 s->sources ? s->sources : s->closed ? "closed sources" : " sources");
    if (s->several)
        settings_add(&to, q->switching ? GIVEN : DETAIL, "each with its switching");
    else
        settings_router(&to, q, &j->o->units, o);
    if (o->collide.hop_time != 1 || to.all)
        settings_add(&to, o->collide.hop_time != 1 ? GIVEN : DETAIL, "hop time %s",
                     units_time(time, &j->o->units, o->collide.hop_time));
    if (!o->terminals || to.all)
        settings_add(&to, !o->terminals ? GIVEN : DETAIL, "terminals with%s links", o->terminals ? "" : "out");
    if (s->open && load >= 0 && !j->column[load].unit)
        settings_add(&to, 0, "load in flits per node and cycle");
    snprintf(s->title, sizeof s->title, "%s%s%s%s", s->plain, *to.given ? " (" : "", to.given, *to.given ? ")" : "");
    *to.below = (char)toupper((unsigned char)*to.below);
    snprintf(s->assumed, sizeof s->assumed, "%s%s", to.below, to.all ? "." : "; --wide shows all settings.");
    j->t->title = s->title;
    j->assumed = *to.below ? s->assumed : NULL;
}

/* That of the job's request. */
static struct load_request *load_of(const struct job *j)
{
    const struct option_part *part = j->frame->shared;

    while (part->field != load_options_model)
        part++;
    return (struct load_request *)(void *)((char *)j->request + part->at);
}

int load_fact(struct job *j, const char *text, struct err *err)
{
    char how[40] = "", classes[200] = "";
    int open, linked, speedup, packets;
    struct latency_options o = { .open = false };
    struct router *r = &o.collide.router;

    if (sscanf(text, "load %d %d %d %d %lf %lf %lf %lf %lf %39s %199s", &open, &linked, &speedup, &packets,
               &o.collide.hop_time, &r->vcs, &r->buffer, &r->credit_loop, &r->time, how, classes) < 10)
        return err_set(err, ERR_FORMAT, "what a part says of its load is not understood");
    o.open = open;
    o.terminals = linked;
    r->speedup = speedup;
    r->packets = packets;
    o.classes = *classes ? classes : NULL;
    o.collide.switching = switching_find(how, err);
    if (!o.collide.switching)
        return -1;
    load_said(j, load_of(j), &o);
    return 0;
}

int load_say(struct job *j, const struct latency_options *o, struct err *err)
{
    const struct router *r = &o->collide.router;

    return job_fact(j, err, "load %d %d %d %d %.17g %.17g %.17g %.17g %.17g %s %s", o->open, o->terminals, r->speedup,
                    r->packets, o->collide.hop_time, r->vcs, r->buffer, r->credit_loop, r->time,
                    o->collide.switching->name, o->classes ? o->classes : "");
}
