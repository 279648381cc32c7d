// Types of GIO that must be registered before two threads use servers.
#pragma once

#include <gio/gio.h>

// Making a class holds GLib's lock for classes, and a class that uses a type in its properties or signals waits until
// that type is registered. Registering a type that implements interfaces takes the same lock. So one thread that makes,
// say, libsoup's class of connections and another that uses its first GTask can deadlock: seen between the player's
// loop and its first source, with GLib 2.74. This can't happen once the types are registered before there is a second
// thread. These are all such types that a request uses; Tests/Tools/http-types.c finds them.
static inline void vit_register_types(void) {
    g_type_ensure(G_TYPE_DBUS_CONNECTION);
    g_type_ensure(G_TYPE_SOCKET);
    g_type_ensure(G_TYPE_SOCKET_ADDRESS);
    g_type_ensure(G_TYPE_TASK);
}
