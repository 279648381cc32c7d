// The data that the sources of one item share. A stream in parts has a source for its list and one for each part; other
// elements make them, some outside of the pipeline, so the item is passed on as a GstContext.
#pragma once

#include "jar.h"

#include <gst/gst.h>

#define VIT_ITEM_CONTEXT "vitrine-item"

// Has a reference count; any thread.
typedef struct VitItem VitItem;

// `source` is the one of the item's own address; the item doesn't keep it alive.
VitItem *vit_item_new(GstElement *source);
void vit_item_unref(VitItem *item);

// Passes the item to all sources that are made for the same pipeline from now on.
void vit_item_share(VitItem *item, GstElement *source);
// Asks the pipeline for the item, which is passed to the element's set_context.
void vit_item_ask(GstElement *source);
// The caller releases it; null for another context.
VitItem *vit_item_of_context(GstContext *context);

// The reach of the farthest server that named any of the parts, or 0. It only grows.
guint vit_item_farthest(VitItem *item);
void vit_item_note(VitItem *item, guint reach);

// The source of the item's own address, which the caller releases; null when it is gone.
GstElement *vit_item_source(VitItem *item);

// The cookies of the item's servers. They live as long as the item.
VitJar *vit_item_jar(VitItem *item);

// Whether a list has named all parts that there are and will be.
gboolean vit_item_is_complete(VitItem *item);
void vit_item_set_complete(VitItem *item, gboolean is_complete);

// Records a part that has come, or one that is gone for good; the number of parts that are gone since the last one that
// came; whether any part ever came.
void vit_item_part_came(VitItem *item);
guint vit_item_part_gone(VitItem *item);
gboolean vit_item_has_parts(VitItem *item);

// Sets the variants that a list names; each can stand in for another one that is gone. `base` is the address that they
// are relative to.
void vit_item_set_variants(VitItem *item, const char *base, const guint8 *text, gsize count);
// The next variant after one that is gone, to be freed; null where `gone` isn't a variant, or all have been tried.
// `tried` counts them.
char *vit_item_other_variant(VitItem *item, const char *gone, guint tried);
