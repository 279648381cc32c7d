// http-types URI: asks for URI by libsoup and prints the types over which two threads could lock each other up while they make
// their first requests: those that were registered on the way, implement interfaces, and are named in a property or signal of
// a class or interface. Ends with 1 if there are any. With --without, as it would be without what the player does about them.
#include "../../Sources/C/CElements/http/types.h"

#include <libsoup/soup.h>
#include <stdio.h>
#include <string.h>

static GHashTable *before, *named;

static void for_each(GType type, void (*visit)(GType)) {
    visit(type);
    guint count;
    GType *children = g_type_children(type, &count);
    for (guint i = 0; i < count; i++) for_each(children[i], visit);
    g_free(children);
}

static void note(GType type) { g_hash_table_add(before, GSIZE_TO_POINTER(type)); }

static void name(GType type) { g_hash_table_add(named, GSIZE_TO_POINTER(type & ~G_SIGNAL_TYPE_STATIC_SCOPE)); }

static void note_named(GType type) {
    guint count;
    gpointer class = G_TYPE_IS_INTERFACE(type) ? NULL : g_type_class_peek(type);
    if (class) {
        GParamSpec **properties = g_object_class_list_properties(class, &count);
        for (guint i = 0; i < count; i++) name(properties[i]->value_type);
        g_free(properties);
    } else if (!G_TYPE_IS_INTERFACE(type)) {
        return;
    }
    guint *signals = g_signal_list_ids(type, &count);
    for (guint i = 0; i < count; i++) {
        GSignalQuery signal;
        g_signal_query(signals[i], &signal);
        name(signal.return_type);
        for (guint j = 0; j < signal.n_params; j++) name(signal.param_types[j]);
    }
    g_free(signals);
}

static guint interfaces_of(GType type) {
    guint count = 0;
    if (type) g_free(g_type_interfaces(type, &count));
    return count;
}

static int found;

static void tell(GType type) {
    // What it has from its parent was registered with that.
    if (g_hash_table_contains(before, GSIZE_TO_POINTER(type)) || !g_hash_table_contains(named, GSIZE_TO_POINTER(type)) ||
        interfaces_of(type) == interfaces_of(g_type_parent(type)))
        return;
    printf("%s\n", g_type_name(type));
    found++;
}

static void read_all(GInputStream *body) {
    char buffer[4096];
    while (body && g_input_stream_read(body, buffer, sizeof buffer, NULL, NULL) > 0) continue;
    g_clear_object(&body);
}

static void on_answer(GObject *session, GAsyncResult *result, gpointer loop) {
    read_all(soup_session_send_finish(SOUP_SESSION(session), result, NULL));
    g_main_loop_quit(loop);
}

int main(int argc, char **argv) {
    gboolean without = argc == 3 && !strcmp(argv[1], "--without");
    if (argc != 2 && !without) {
        fprintf(stderr, "usage: http-types [--without] URI\n");
        return 2;
    }
    before = g_hash_table_new(NULL, NULL);
    named = g_hash_table_new(NULL, NULL);
    if (!without) vit_register_types();
    for_each(G_TYPE_OBJECT, note);
    for_each(G_TYPE_INTERFACE, note);

    // As a source of the player does it, and as its store does.
    SoupSession *session = soup_session_new();
    SoupMessage *first = soup_message_new("GET", argv[argc - 1]), *second = soup_message_new("GET", argv[argc - 1]);
    if (!first || !second) return 2;
    read_all(soup_session_send(session, first, NULL, NULL));
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    soup_session_send_async(session, second, G_PRIORITY_DEFAULT, NULL, on_answer, loop);
    g_main_loop_run(loop);

    for_each(G_TYPE_OBJECT, note_named);
    for_each(G_TYPE_INTERFACE, note_named);
    for_each(G_TYPE_OBJECT, tell);
    return found > 0;
}
