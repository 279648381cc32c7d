#pragma once
#include <gdk-pixbuf/gdk-pixbuf.h>

#pragma clang assume_nonnull begin

// An animation's iterator takes a type that GLib has deprecated, which Swift reports wherever it is used. Here the time
// is in milliseconds from the start.
G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static inline GdkPixbufAnimationIter *_Nullable vit_animation_start(GdkPixbufAnimation *animation)
{
    const GTimeVal start = {0, 0};
    return gdk_pixbuf_animation_get_iter(animation, &start);
}

static inline void vit_animation_move(GdkPixbufAnimationIter *iter, gint64 milliseconds)
{
    const GTimeVal time = {(glong)(milliseconds / 1000), (glong)(milliseconds % 1000 * 1000)};
    gdk_pixbuf_animation_iter_advance(iter, &time);
}

G_GNUC_END_IGNORE_DEPRECATIONS

#pragma clang assume_nonnull end
