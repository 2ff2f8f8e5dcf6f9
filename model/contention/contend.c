/* contend.c -- waits of channels that share a link, exactly (contend.h).
 * 1. channels alike       the machine repairman with constant repair times (Ashcroft 1950), summed from the peak both
 *                         ways
 * 2. different channels   probabilities of arrivals during a service, by uniformisation
 * 3. the chain            the line of waiting channels at the ends of services; its stationary distribution without
 *                         subtractions
 * 4. any                  whichever of these fits, else waits by closure.h */
#include "model/contention/contend.h"
#include "model/contention/closure.h"

/* ---- channels alike ----
 * With a = TD / MI, T_0 = 1 and T_i = T_{i-1} r_i, r_i = (n-i)/i (exp(i a) - 1), none waits when a service ends with
 * probability p0 = 1 / (T_0 + ... + T_{n-1}), and the wait is (n-1) TD - (1 - p0) MI. Under light load that is a small
 * difference of large numbers. But i T_i / (exp(i a) - 1) = (n-i) T_{i-1}: summed over i that turns it into
 *     MI sum T_i g(i a) / sum T_i,    g(x) = x / (1 - exp(-x)) - 1.
 * r falls, or rises from above 1 and then falls (its logarithm's slope is a product of a falling line and a concave
 * function, less 1, over n-i), so it passes 1 at most once: the T have one peak, and are summed from there both
 * ways. */

static double contend_ratio(double n, double i, double a)
{
    return (n - i) / i * expm1(i * a);
}

static double contend_excess(double x)
{
    return contention_rest(x) / -expm1(-x);
}

/* The last i whose T is not less than the one before. */
static int64_t contend_peak(int64_t n, double a)
{
    int64_t low = 0, high = n;          /* r_low >= 1 (or low = 0), r_high < 1 */

    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (contend_ratio((double)n, (double)middle, a) >= 1)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int contend_identical(double *wait, int64_t n, const struct contender *channel, struct err *err)
{
    const double least = 1e-18;         /* what all further terms together may add */
    double a, count = (double)n, whole = 1, sum = 0;
    int64_t top;

    if (contender_check(channel, 1, err) < 0)
        return -1;
    if (n < 1 || n > CONTEND_ALIKE)
        return err_set(err, ERR_DOMAIN, "%lld channels share the link; there may be 1 to %d", (long long)n,
                       CONTEND_ALIKE);
    a = channel->hold / channel->interval;
    top = contend_peak(n, a);
    if (top > 0)
        sum = contend_excess((double)top * a);
    for (double i = (double)top + 1, t = 1; i < count; i++) {
        double part;

        t *= contend_ratio(count, i, a);
        part = t * contend_excess(i * a);
        whole += t;
        sum += part;
        if (part * (count - i) < least * sum && t * (count - i) < least * whole)
            break;
    }
    for (double i = (double)top, t = 1; i > 0; i--) {
        double part;

        t /= contend_ratio(count, i, a);
        part = i > 1 ? t * contend_excess((i - 1) * a) : 0;
        whole += t;
        sum += part;
        if (part * i <= least * sum && t * i < least * whole)
            break;
    }
    *wait = channel->interval * (sum / whole);
    return 0;
}

/* ---- different channels: probabilities of arrivals ---- */

enum { MOST = CONTEND_DIFFERENT, STAGES = MOST };

/* Stage j has j arrivals; it is left for stage j + 1 at rate next[j], and for elsewhere at rate rest, of channels that
 * do not arrive at all. leave[j] = next[j] + next[j+1] + ... + rest. */
struct stages {
    int n;                          /* arrivals */
    double next[STAGES], leave[STAGES];
};

/* exp(tQ) for q t <= 1 by uniformisation, Q having next beside and -leave on its diagonal. */
static void transitions(double e[STAGES][STAGES], const struct stages *s, double t)
{
    const double q = s->leave[0], scale = exp(-q * t);
    double term[STAGES][STAGES] = { { 0 } };

    memset(e, 0, sizeof(double[STAGES][STAGES]));
    for (int i = 0; i <= s->n; i++)
        term[i][i] = e[i][i] = scale;
    for (int m = 1; m <= 25; m++)
        for (int i = 0; i <= s->n; i++) {
            double gone[STAGES] = { 0 };

            for (int j = 0, k; j <= s->n; j++)          /* q - leave[j], as a sum */
                for (k = 0; k < j; k++)
                    gone[j] += s->next[k];
            for (int j = s->n; j >= i; j--) {
                term[i][j] = (term[i][j] * gone[j] + (j > i ? term[i][j - 1] * s->next[j - 1] : 0)) * t / m;
                e[i][j] += term[i][j];
            }
        }
}

/* Probability of these arrivals and no others, in this order, within t. Nothing is subtracted: exp(tQ) of positive
 * entries, squared, its diagonal known beforehand; every entry is right to some 14 digits, however different the
 * rates. */
static double contend_arrive(const struct stages *s, double t)
{
    double e[STAGES][STAGES], squared[STAGES][STAGES];
    int doublings = 0;

    if (s->n == 0)
        return exp(-s->leave[0] * t);
    while (ldexp(s->leave[0] * t, -doublings) > 1)
        doublings++;
    t = ldexp(t, -doublings);
    transitions(e, s, t);
    while (doublings-- > 0) {
        t *= 2;
        for (int i = 0; i <= s->n; i++) {
            squared[i][i] = exp(-s->leave[i] * t);
            for (int j = i + 1; j <= s->n; j++) {
                squared[i][j] = 0;
                for (int k = i; k <= j; k++)
                    squared[i][j] += e[i][k] * e[k][j];
            }
        }
        for (int i = 0; i <= s->n; i++)
            for (int j = i; j <= s->n; j++)
                e[i][j] = squared[i][j];
    }
    return e[0][s->n];
}

/* ---- different channels: the chain ----
 * A state is the channel in service and the waiting line, in order, when a service starts. The channel served before
 * has just begun to compute, so at most n - 2 wait. */

struct state {
    int served, waiting, list[MOST];
};
struct chain {
    const struct contender *channel;
    size_t n, nstate;
    struct state *state;            /* ordered by how many wait */
    double *rate;                   /* nstate x nstate; only its ratios along a row matter, and not its diagonal */
    double *share;                  /* nstate: how often a service starts so, up to a factor */
    int number[1 << 3 * (MOST - 1)];/* by key */
};

/* Three bits a channel, 7 for none. */
static size_t key_of(int served, const int *list, int waiting)
{
    size_t key = (size_t)served;

    for (int i = 0; i < MOST - 2; i++)
        key = key << 3 | (size_t)(i < waiting ? list[i] : 7);
    return key;
}

static size_t count_states(size_t n)
{
    size_t lists = 1, all = 1;

    for (size_t waiting = 1; waiting + 2 <= n; waiting++) {
        lists *= n - waiting;
        all += lists;
    }
    return n * all;
}

static void add_state(struct chain *c, const struct state *s)
{
    c->number[key_of(s->served, s->list, s->waiting)] = (int)c->nstate;
    c->state[c->nstate++] = *s;
}

static unsigned contend_busy(const struct state *s)
{
    unsigned set = 1u << s->served;

    for (int i = 0; i < s->waiting; i++)
        set |= 1u << s->list[i];
    return set;
}

/* Longer lists are shorter ones with one more at the end. */
static void list_states(struct chain *c)
{
    for (int i = 0; i < (int)c->n; i++)
        add_state(c, &(struct state){ .served = i });
    for (size_t from = 0; from < c->nstate; from++)
        for (int j = 0; j < (int)c->n; j++) {
            struct state longer = c->state[from];

            if ((size_t)longer.waiting + 2 >= c->n || contend_busy(&longer) >> j & 1)
                continue;
            longer.list[longer.waiting++] = j;
            add_state(c, &longer);
        }
}

/* The service of state `from` ends while `line` waits. */
static void contend_go(struct chain *c, size_t from, const struct state *line, double probability)
{
    double *row = c->rate + from * c->nstate;

    if (line->waiting > 0) {
        row[c->number[key_of(line->list[0], line->list + 1, line->waiting - 1)]] += probability;
    } else {                        /* all compute; the first to ask is served */
        double all = 0;

        for (size_t j = 0; j < c->n; j++)
            all += 1 / c->channel[j].interval;
        for (size_t j = 0; j < c->n; j++)
            row[j] += probability / c->channel[j].interval / all;
    }
}

/* All orders in which computing channels may join the line during the service of state `from`. */
static void contend_join(struct chain *c, size_t from, const struct state *line, struct stages *s)
{
    const unsigned absent = ~contend_busy(line);
    double rest = 0;

    for (size_t j = 0; j < c->n; j++)
        if (absent >> j & 1)
            rest += 1 / c->channel[j].interval;
    for (int j = s->n; j >= 0; j--)
        s->leave[j] = j == s->n ? rest : s->leave[j + 1] + s->next[j];
    contend_go(c, from, line, contend_arrive(s, c->channel[line->served].hold));
    for (size_t j = 0; j < c->n; j++)
        if (absent >> j & 1) {
            struct state longer = *line;

            longer.list[longer.waiting++] = (int)j;
            s->next[s->n++] = 1 / c->channel[j].interval;
            contend_join(c, from, &longer, s);
            s->n--;
        }
}

/* Under heavy load the chain is nearly reducible: all channels ask at once and are served in turns, and no turn is ever
 * lost. Very rarely all restart together: then only the idle time before counts. */
static const double anew = 1e-40;

static void contend_fill(struct chain *c)
{
    for (size_t i = 0; i < c->nstate; i++) {
        struct stages s = { .n = 0 };

        contend_join(c, i, &c->state[i], &s);
        contend_go(c, i, &(struct state){ .served = c->state[i].served }, anew);
    }
}

/* Elimination of Grassmann, Taksar and Heyman (1985): no subtractions. Long lists first: few states lead to them. */
static void contend_solve(struct chain *c, int *to)
{
    double *rate = c->rate;
    const size_t n = c->nstate;

    for (size_t k = n - 1; k > 0; k--) {
        double *row = rate + k * n, sum = 0;
        int nto = 0;

        for (size_t j = 0; j < k; j++)
            if (row[j] > 0) {
                to[nto++] = (int)j;
                sum += row[j];
            }
        for (size_t i = 0; i < k; i++) {
            double *other = rate + i * n;

            if (other[k] == 0)
                continue;
            other[k] /= sum;
            for (int j = 0; j < nto; j++)
                other[to[j]] += other[k] * row[to[j]];
        }
    }
    c->share[0] = 1;
    for (size_t k = 1; k < n; k++) {
        c->share[k] = 0;
        for (size_t i = 0; i < k; i++)
            c->share[k] += c->share[i] * rate[i * n + k];
    }
}

static void add_up(double *wait, const struct chain *c)
{
    double starts[MOST] = { 0 };

    for (size_t j = 0; j < c->n; j++)
        wait[j] = 0;
    for (size_t i = 0; i < c->nstate; i++) {
        const struct state *s = &c->state[i];
        const double td = c->channel[s->served].hold;
        const unsigned set = contend_busy(s);

        starts[s->served] += c->share[i];
        for (int j = 0; j < (int)c->n; j++)
            if (j != s->served) {
                const double mi = c->channel[j].interval;

                wait[j] += c->share[i] * (set >> j & 1 ? td : mi * contention_rest(td / mi));
            }
    }
    for (size_t j = 0; j < c->n; j++)
        wait[j] /= starts[j];
}

int contend_chain(double *wait, const struct contender *channel, size_t n, struct err *err)
{
    const size_t states = n >= 2 && n <= MOST ? count_states(n) : 0;
    struct chain *c = NULL;
    int *to = NULL;
    int ret = -1;

    if (contender_check(channel, n, err) < 0)
        return -1;
    if (states == 0)
        return err_set(err, ERR_DOMAIN, "%zu different channels share the link; 2 to %d are computed exactly", n, MOST);
    if (TAKE("the chain of channels", err, ZEROS(c, 1), ARRAY(to, states)) < 0)
        return -1;
    c->channel = channel;
    c->n = n;
    if (TAKE("the chain of channels", err, ARRAY(c->state, states), ZEROS(c->rate, states * states),
             ARRAY(c->share, states)) < 0)
        goto done;
    list_states(c);
    contend_fill(c);
    contend_solve(c, to);
    add_up(wait, c);
    ret = 0;
done:
    FREE(c->state, c->rate, c->share, c, to);
    return ret;
}

/* ---- any ---- */

static bool contend_alike(const struct contender *channel, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (channel[i].interval != channel[0].interval || channel[i].hold != channel[0].hold)
            return false;
    return true;
}

bool contend_exact(const struct contender *channel, size_t n)
{
    return n <= CONTEND_DIFFERENT || contend_alike(channel, n);
}

int contend_waits(double *wait, const struct contender *channel, size_t n, const struct tick *t, struct err *err)
{
    if (contender_check(channel, n, err) < 0)
        return -1;
    if (n > 0 && contend_alike(channel, n)) {
        double each;

        if (contend_identical(&each, (int64_t)n, channel, err) < 0)
            return -1;
        for (size_t i = 0; i < n; i++)
            wait[i] = each;
        return 0;
    }
    if (n <= CONTEND_DIFFERENT)
        return contend_chain(wait, channel, n, err);
    return closure_waits(wait, channel, n, t, err);
}

double contend_utilisation(const double *wait, const struct contender *channel, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += channel[i].hold / (channel[i].interval + wait[i] + channel[i].hold);
    return sum;
}
