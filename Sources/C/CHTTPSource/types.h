// Types of GIO that have to be there before two threads talk to servers.
#pragma once

#include <gio/gio.h>

// Making a class holds GLib's lock for classes, and a class that names a type in its properties or signals waits until that
// type is registered. Registering a type that implements interfaces takes the same lock. So a thread that makes, say, libsoup's
// class of connections and another that begins with its first GTask can wait for each other for ever: seen in the player's loop,
// beside the first source, with GLib 2.74. Registered before there is a second thread, they can't. These are all of that kind
// that come with a request; Tests/Tools/http-types.c finds them.
static inline void vit_register_types(void) {
    g_type_ensure(G_TYPE_DBUS_CONNECTION);
    g_type_ensure(G_TYPE_SOCKET);
    g_type_ensure(G_TYPE_SOCKET_ADDRESS);
    g_type_ensure(G_TYPE_TASK);
}
