#include "render/from_table.h"
int chart_from_table(struct chart *c, const struct table *t, const char *x, const char *const *y, size_t ny,
                     const char *const *group, size_t ngroup, struct err *err){return err_set(err,ERR_INTERNAL,"no");}
int table_from_csv(struct table *t, struct column **columns, const struct csv *csv, struct err *err){return err_set(err,ERR_INTERNAL,"no");}
