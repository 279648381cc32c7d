#pragma once
#include <gst/gst.h>

#pragma clang assume_nonnull begin

/* An element without pads that gives its pipeline a clock, and can take it away: what a sound card does that is pulled out.
 * After that the clock stands still, as that of a card does. */
GstElement *clock_thief_new(void);

/* The pipeline that plays by it is told that its clock is lost. Does nothing the second time, until `clock_thief_give`. */
void clock_thief_take(GstElement *thief);

/* It has a clock again, another one. */
void clock_thief_give(GstElement *thief);

/* Whether the pipeline runs on the thief's clock. */
gboolean clock_thief_is_used(GstElement *thief, GstElement *pipeline);

#pragma clang assume_nonnull end
