/* boxes.h -- where the text of a figure stands: on the page, and nowhere on other text. */
#pragma once

#include "render/page/canvas.h"

/* Of two rectangles at any angles: the least overlap along the directions of their sides, points; negative: apart. */
double boxes_overlap(const struct text_box *a, const struct text_box *b);
/* Fails the test unless every text put on the canvas lies within the page (half a point of play) and no two overlap by
 * more than a twentieth of a point; `what` names the figure. */
void boxes_check(const char *what, const struct canvas *c);
bool boxes_fit(const struct canvas *c);         /* whether it would pass */
