// GTK for Swift: what is done by macros there has a function here.
#pragma once

#include <gdk/wayland/gdkwayland.h>
#include <gtk/gtk.h>

#pragma clang assume_nonnull begin

// A window without a title bar, so that its surface is all picture.
static inline GtkWidget *plain_window(const char *title, int width, int height)
{
    GtkWidget *widget = gtk_window_new();
    GtkWindow *window = GTK_WINDOW(widget);
    gtk_window_set_title(window, title);
    gtk_window_set_decorated(window, FALSE);
    gtk_window_set_default_size(window, width, height);
    return widget;
}

static inline void present_window(GtkWidget *widget) { gtk_window_present(GTK_WINDOW(widget)); }

// The surface of a window that is on the screen.
static inline GdkSurface *_Nullable surface_of(GtkWidget *widget) { return gtk_native_get_surface(GTK_NATIVE(widget)); }

// The Wayland objects behind it; null on another windowing system.
static inline void *_Nullable wayland_display_of(GdkSurface *surface)
{
    GdkDisplay *display = gdk_surface_get_display(surface);
    return GDK_IS_WAYLAND_DISPLAY(display) ? gdk_wayland_display_get_wl_display(display) : NULL;
}

static inline void *_Nullable wayland_surface_of(GdkSurface *surface)
{
    return GDK_IS_WAYLAND_SURFACE(surface) ? gdk_wayland_surface_get_wl_surface(surface) : NULL;
}

static inline void connect_signal(void *object, const char *name, GCallback handler, void *data)
{
    g_signal_connect_data(object, name, handler, data, NULL, (GConnectFlags)0);
}

#pragma clang assume_nonnull end
