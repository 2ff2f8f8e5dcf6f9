/* lp.c -- linear programs by GLPK (lp.h).
 * 1. ways out       GLPK aborts the process where it is misused or out of memory; its hook leaves by longjmp instead,
 *                   and its memory is then given back as a whole. Its lines on progress are where a tick may stop it.
 * 2. building       rows, columns, bounds, a basis to begin with
 * 3. solving        primal simplex, branch and bound; the solution, and what it takes
 * 4. as a file      for other solvers */
#include "analysis/bound/lp.h"

#include <glpk.h>
#include <setjmp.h>

#include "graph/base/file.h"

/* ---- ways out ---- */

#define TOLERANCE 1e-9          /* of reduced costs; the default, 1e-7, leaves a gap where numbers of a program are
                                 * very unlike */

struct lp {
    glp_prob *p;                /* NULL once the solver has failed */
    bool integer;               /* the last solution came of lp_solve_integer */
    size_t room;                /* of at and value */
    int *at;
    double *value;
    jmp_buf out;
    bool stopped;
    const struct tick *tick;
    char said[200];             /* the solver's last line */
};

static void on_error(void *info)
{
    longjmp(((struct lp *)info)->out, 1);
}

static int on_line(void *info, const char *text)
{
    struct lp *lp = info;
    const size_t len = strcspn(text, "\n");

    if (len && strncmp(text, "Error detected in file", 22) != 0)       /* what follows the reason */
        snprintf(lp->said, sizeof lp->said, "%.*s", (int)len, text);
    if (lp->tick && tick(lp->tick, 0)) {
        lp->stopped = true;
        longjmp(lp->out, 1);
    }
    return 1;                   /* nothing is printed */
}

/* After a way out. */
static int lp_failed(struct lp *lp, struct err *err)
{
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
    glp_free_env();
    lp->p = NULL;
    if (lp->stopped)
        return err_stopped(err);
    if (strstr(lp->said, "memory"))
        return err_set(err, ERR_MEMORY, "the linear program does not fit in memory (GLPK: %.150s)", lp->said);
    return err_set(err, ERR_INTERNAL, "the solver of linear programs failed (GLPK: %.150s)", lp->said[0] ? lp->said :
                   "no reason given");
}

static int lp_gone(struct err *err)
{
    return err_set(err, ERR_INTERNAL, "the linear program is gone: its solver had failed");
}

/* Between the two GLPK may fail; `lp->tick` is heard only inside. */
#define ENTER(lp, err)                                          \
    do {                                                        \
        if (!(lp)->p)                                           \
            return lp_gone(err);                                \
        (lp)->said[0] = '\0';                                   \
        glp_error_hook(on_error, (lp));                         \
        glp_term_hook(on_line, (lp));                           \
        if (setjmp((lp)->out))                                  \
            return lp_failed(lp, err);                          \
    } while (0)

static void lp_leave(void)
{
    glp_error_hook(NULL, NULL);
    glp_term_hook(NULL, NULL);
}

/* The body of a function that is one call of GLPK's. */
#define CALL(lp, err, call)                                     \
    do {                                                        \
        ENTER(lp, err);                                         \
        call;                                                   \
        lp_leave();                                             \
        return 0;                                               \
    } while (0)

/* ---- building ---- */

int lp_open(struct lp **out, const char *name, bool maximise, struct err *err)
{
    struct lp *lp = calloc(1, sizeof *lp);
    const double memory = mem_available();

    if (!lp || glp_init_env() == 2) {           /* without its room GLPK aborts at the first call of anything else */
        free(lp);
        return err_memory(err);
    }
    glp_error_hook(on_error, lp);
    glp_term_hook(on_line, lp);
    if (setjmp(lp->out)) {
        lp_failed(lp, err);
        free(lp);
        return -1;
    }
    glp_mem_limit(memory < 1e15 ? (int)fmax(16, memory / 0x1p20) : INT_MAX);
    lp->p = glp_create_prob();
    glp_set_prob_name(lp->p, name);
    glp_set_obj_dir(lp->p, maximise ? GLP_MAX : GLP_MIN);
    lp_leave();
    *out = lp;
    return 0;
}

void lp_close(struct lp *lp)
{
    if (!lp)
        return;
    if (lp->p)
        glp_delete_prob(lp->p);
    FREE(lp->at, lp->value, lp);
}

static int kind_of(double lo, double up)
{
    return isinf(lo) ? isinf(up) ? GLP_FR : GLP_UP : isinf(up) ? GLP_LO : lo == up ? GLP_FX : GLP_DB;
}

static int check_bounds(double lo, double up, struct err *err)
{
    return lo <= up && lo < INFINITY && up > -INFINITY ? 0 :
        err_set(err, ERR_INTERNAL, "a linear program cannot have the bounds %g and %g", lo, up);
}

int lp_row(struct lp *lp, double lo, double up, const char *name, struct err *err)
{
    int i;

    if (check_bounds(lo, up, err) < 0)
        return -1;
    ENTER(lp, err);
    i = glp_add_rows(lp->p, 1);
    glp_set_row_bnds(lp->p, i, kind_of(lo, up), lo, up);
    if (name)
        glp_set_row_name(lp->p, i, name);
    lp_leave();
    return i - 1;
}

/* What `at` and `value` of the program are to hold. */
static int lp_fill(struct lp *lp, const struct lp_column *c, struct err *err)
{
    if (GROW(&lp->room, c->n + 1, "a column of a linear program", err, GROWN(lp->at), GROWN(lp->value)) < 0)
        return -1;
    for (size_t k = 0; k < c->n; k++) {
        if (!isfinite(c->value[k]))
            return err_set(err, ERR_INTERNAL, "a linear program cannot have %g among its numbers", c->value[k]);
        lp->at[k + 1] = c->row[k] + 1;         /* GLPK counts from 1 */
        lp->value[k + 1] = c->value[k];
    }
    return isfinite(c->cost) ? 0 :
        err_set(err, ERR_INTERNAL, "a linear program cannot have %g in its objective", c->cost);
}

int lp_column(struct lp *lp, const struct lp_column *c, struct err *err)
{
    int j;

    if (check_bounds(c->lo, c->up, err) < 0 || lp_fill(lp, c, err) < 0)
        return -1;
    ENTER(lp, err);
    j = glp_add_cols(lp->p, 1);
    glp_set_col_bnds(lp->p, j, kind_of(c->lo, c->up), c->lo, c->up);
    glp_set_obj_coef(lp->p, j, c->cost);
    if (c->n)
        glp_set_mat_col(lp->p, j, (int)c->n, lp->at, lp->value);
    if (c->name)
        glp_set_col_name(lp->p, j, c->name);
    lp_leave();
    return j - 1;
}

int lp_replace_column(struct lp *lp, int column, const struct lp_column *c, struct err *err)
{
    if (lp_fill(lp, c, err) < 0)
        return -1;
    ENTER(lp, err);
    glp_set_obj_coef(lp->p, column + 1, c->cost);
    glp_set_mat_col(lp->p, column + 1, (int)c->n, lp->at, lp->value);
    glp_set_col_name(lp->p, column + 1, c->name);
    lp_leave();
    return 0;
}

int lp_maximise(struct lp *lp, struct err *err)
{
    CALL(lp, err, glp_set_obj_dir(lp->p, GLP_MAX));
}

int lp_integer(struct lp *lp, int column, struct err *err)
{
    CALL(lp, err, glp_set_col_kind(lp->p, column + 1, GLP_IV));
}

int lp_bound_row(struct lp *lp, int row, double lo, double up, struct err *err)
{
    if (check_bounds(lo, up, err) < 0)
        return -1;
    CALL(lp, err, glp_set_row_bnds(lp->p, row + 1, kind_of(lo, up), lo, up));
}

int lp_bound_column(struct lp *lp, int column, double lo, double up, struct err *err)
{
    if (check_bounds(lo, up, err) < 0)
        return -1;
    CALL(lp, err, glp_set_col_bnds(lp->p, column + 1, kind_of(lo, up), lo, up));
}

int lp_cost(struct lp *lp, int column, double cost, struct err *err)
{
    if (!isfinite(cost))
        return err_set(err, ERR_INTERNAL, "a linear program cannot have %g in its objective", cost);
    CALL(lp, err, glp_set_obj_coef(lp->p, column + 1, cost));
}

static const int place_of[] = { [LP_BASIC] = GLP_BS, [LP_AT_LOWER] = GLP_NL, [LP_AT_UPPER] = GLP_NU };

int lp_place_row(struct lp *lp, int row, enum lp_place place, struct err *err)
{
    CALL(lp, err, glp_set_row_stat(lp->p, row + 1, place_of[place]));
}

int lp_place_column(struct lp *lp, int column, enum lp_place place, struct err *err)
{
    CALL(lp, err, glp_set_col_stat(lp->p, column + 1, place_of[place]));
}

/* ---- solving ---- */

static const char *lp_reason(int code)
{
    switch (code) {
    case GLP_EBADB: return "the basis to begin with has the wrong size";
    case GLP_ESING: return "the basis to begin with is singular";
    case GLP_ECOND: return "the basis to begin with is ill-conditioned";
    case GLP_EBOUND: return "bounds contradict each other";
    case GLP_EITLIM: return "too many iterations";
    case GLP_EFAIL: return "numerical trouble";
    default: return "no solution found";
    }
}

static int end_of(enum lp_end *end, int status, struct err *err)
{
    switch (status) {
    case GLP_OPT: *end = LP_OPTIMAL; return 0;
    case GLP_NOFEAS: case GLP_INFEAS: *end = LP_INFEASIBLE; return 0;
    case GLP_UNBND: *end = LP_UNBOUNDED; return 0;
    default: return err_set(err, ERR_INTERNAL, "the solver of linear programs ended without an answer (GLPK: status "
                            "%d)", status);
    }
}

int lp_solve(struct lp *lp, int most, enum lp_end *end, const struct tick *tick, struct err *err)
{
    glp_smcp parameters;
    int code;

    lp->tick = tick;
    lp->integer = false;
    ENTER(lp, err);
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_ALL;       /* no line is printed; each is a moment to look up */
    parameters.out_frq = 10;
    parameters.out_dly = 0;
    parameters.meth = GLP_PRIMAL;
    parameters.tol_dj = TOLERANCE;
    if (most)
        parameters.it_lim = most;
    code = glp_simplex(lp->p, &parameters);
    if (code == GLP_ESING || code == GLP_ECOND || code == GLP_EBADB || code == GLP_EFAIL) {
        glp_std_basis(lp->p);               /* the basis at hand is no good: from the beginning */
        code = glp_simplex(lp->p, &parameters);
    }
    lp->tick = NULL;
    lp_leave();
    *end = LP_LIMIT;
    if (code == GLP_EITLIM)
        return 0;
    if (code)
        return err_set(err, ERR_INTERNAL, "the solver of linear programs failed (GLPK: %s)", lp_reason(code));
    return end_of(end, glp_get_status(lp->p), err);
}

int lp_solve_integer(struct lp *lp, enum lp_end *end, const struct tick *tick, struct err *err)
{
    glp_iocp parameters;
    int code, status;

    if (lp_solve(lp, 0, end, tick, err) < 0)
        return -1;
    if (*end != LP_OPTIMAL)
        return 0;
    lp->tick = tick;
    ENTER(lp, err);
    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_ALL;
    parameters.out_frq = 10;
    parameters.out_dly = 0;
    code = glp_intopt(lp->p, &parameters);
    status = glp_mip_status(lp->p);
    lp->tick = NULL;
    lp_leave();
    if (code)
        return err_set(err, ERR_INTERNAL, "the solver of integer programs failed (GLPK: %s)", lp_reason(code));
    lp->integer = true;
    return end_of(end, status, err);
}

double lp_objective(const struct lp *lp)
{
    return lp->integer ? glp_mip_obj_val(lp->p) : glp_get_obj_val(lp->p);
}

double lp_value(const struct lp *lp, int column)
{
    return lp->integer ? glp_mip_col_val(lp->p, column + 1) : glp_get_col_prim(lp->p, column + 1);
}

double lp_price(const struct lp *lp, int row)
{
    return glp_get_row_dual(lp->p, row + 1);
}

double lp_reduced_cost(const struct lp *lp, int column)
{
    return glp_get_col_dual(lp->p, column + 1);
}

int lp_add_column(double *sum, struct lp *lp, int column, double times, struct err *err)
{
    int n;

    if (!lp->p)
        return lp_gone(err);
    if (GROW(&lp->room, lp_rows(lp) + 1, "a column of a linear program", err, GROWN(lp->at), GROWN(lp->value)) < 0)
        return -1;
    ENTER(lp, err);
    n = glp_get_mat_col(lp->p, column + 1, lp->at, lp->value);
    lp_leave();
    for (int k = 1; k <= n; k++)
        sum[lp->at[k] - 1] += times * lp->value[k];
    return 0;
}

size_t lp_rows(const struct lp *lp)
{
    return (size_t)glp_get_num_rows(lp->p);
}

size_t lp_columns(const struct lp *lp)
{
    return (size_t)glp_get_num_cols(lp->p);
}

double lp_bytes(double rows, double columns, double entries)
{
    return 8 * ((17 + 40) * rows + (17 + 12) * columns + (7 + 3) * entries + (columns > 0 ?
        16 * rows * entries / columns : 0));
}

size_t lp_entries(const struct lp *lp)
{
    return (size_t)glp_get_num_nz(lp->p);
}

/* ---- as a file ---- */

static void lp_turn(glp_prob *p)
{
    for (int j = 0; j <= glp_get_num_cols(p); j++)
        glp_set_obj_coef(p, j, -glp_get_obj_coef(p, j));
    glp_set_obj_dir(p, glp_get_obj_dir(p) == GLP_MAX ? GLP_MIN : GLP_MAX);
}

static int write_to(struct lp *lp, const char *path, bool mps, struct err *err)
{
    const bool turned = mps && lp->p && glp_get_obj_dir(lp->p) == GLP_MAX;
    int code;

    ENTER(lp, err);
    if (turned)
        lp_turn(lp->p);
    code = mps ? glp_write_mps(lp->p, GLP_MPS_FILE, NULL, path) : glp_write_lp(lp->p, NULL, path);
    if (turned)
        lp_turn(lp->p);
    lp_leave();
    return code == 0 ? 0 : err_set(err, ERR_IO, "cannot write the linear program (GLPK: %.150s)", lp->said);
}

static bool ends(const char *path, const char *with)
{
    const size_t n = strlen(path), m = strlen(with);

    return n >= m && strcmp(path + n - m, with) == 0;
}

int lp_write(struct lp *lp, const char *path, struct err *err)
{
    const bool mps = ends(path, ".mps");
    struct output out = { 0 };
    char name[OUTPUT_NAME];

    if (!mps && !ends(path, ".lp"))
        return err_set(err, ERR_USAGE, "'%.200s' ends in neither .lp (CPLEX LP) nor .mps (free MPS)", path);
    if (output_open(&out, path, err) < 0)
        return -1;
    if (write_to(lp, output_name(name, &out), mps, err) < 0) {
        output_abort(&out);
        return -1;
    }
    return output_commit(&out, err);
}
