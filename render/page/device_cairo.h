/* device_cairo.h -- drawing on any of cairo's surfaces. */
#pragma once

#include <cairo.h>

#include "render/page/canvas.h"

/* Pixels 0xrrggbb, row by row from the top; to be destroyed. */
cairo_surface_t *cairo_image_of(int w, int h, const uint32_t *pixel);
/* For surfaces that write to a stream. */
cairo_status_t cairo_to_sink(void *sink, const unsigned char *bytes, unsigned int n);
/* Gives the canvas a device over the surface (taken over, also on failure), with a white ground. */
int cairo_begin(struct canvas *c, cairo_surface_t *surface, struct err *err);
/* Ends the page and finishes the surface; what is left of either is released by cairo_release. */
int cairo_end(struct canvas *c, struct err *err);
cairo_surface_t *cairo_surface_of(struct canvas *c);
void cairo_release(struct canvas *c);
