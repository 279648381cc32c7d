// What the sources of one item know of each other. A stream in parts has a source for its list and one for each part; they are
// made by other elements, some outside of the pipeline, so it goes from one to the others as a GstContext.
#pragma once

#include "jar.h"

#include <gst/gst.h>

#define VIT_ITEM_CONTEXT "vitrine-item"

// Counted; any thread.
typedef struct VitItem VitItem;

// `source` is that of the item's own address: it isn't kept alive.
VitItem *vit_item_new(GstElement *source);
void vit_item_unref(VitItem *item);

// Gives it to all sources that are made for the same pipeline from now on.
void vit_item_share(VitItem *item, GstElement *source);
// Asks the pipeline for it: what comes comes to the element's set_context.
void vit_item_ask(GstElement *source);
// To be released; null for another context.
VitItem *vit_item_of_context(GstContext *context);

// Of the farthest server that has had a say in which parts there are: a reach, or 0. It only grows.
guint vit_item_farthest(VitItem *item);
void vit_item_note(VitItem *item, guint reach);

// The source of the item's own address, to be released; null when it is gone.
GstElement *vit_item_source(VitItem *item);

// Cookies of the item's servers. It lives as long as the item.
VitJar *vit_item_jar(VitItem *item);

// Whether a list has said which parts there are and will be.
gboolean vit_item_is_complete(VitItem *item);
void vit_item_set_complete(VitItem *item, gboolean is_complete);

// A part has come, or is gone for good. How many are gone since the last one that came, and whether any ever came.
void vit_item_part_came(VitItem *item);
guint vit_item_part_gone(VitItem *item);
gboolean vit_item_has_parts(VitItem *item);

// The lists of variants that a list of them names, all at once; each stands for the others where it is gone. `base` is what they are
// relative to.
void vit_item_set_variants(VitItem *item, const char *base, const guint8 *text, gsize count);
// The variant after one that is gone, to be freed; null where it isn't one, or all have been told. `tried` counts them.
char *vit_item_other_variant(VitItem *item, const char *gone, guint tried);
