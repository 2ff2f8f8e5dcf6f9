/* alike.h -- series that lie on each other. */
#pragma once

#include "render/figure/chart_data.h"

/* Of series that are equal in all panels, points and all, one stays, named after all of them: "binomial = two-level";
 * rules take its look. The view shares points and axes with the chart; its own parts are released by alike_release,
 * whatever happened. ERR_MEMORY. */
int alike_join(struct chart *view, const struct chart *c, struct err *err);
void alike_release(struct chart *view);
