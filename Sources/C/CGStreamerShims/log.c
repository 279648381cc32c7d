#include "LibraryLog.h"

// One line from each place in a minute, as everywhere in the log (LineLimit). A place is a line of GStreamer's source:
// its texts contain counters and addresses, and a fault may occur with each buffer.
#define INTERVAL (60 * G_USEC_PER_SEC)
// Places that are remembered; one more replaces the one that was reported longest ago. The search is linear because
// lines are rare.
#define PLACES 64

typedef struct {
    // The text's address: a literal of the library's.
    const char *file;
    gint line;
    guint held_back;
    gint64 told;
} Place;

// These outlive every follower: another thread may be inside `log_line` while it is removed.
static GMutex lock;
static Place places[PLACES];
static vit_log_teller tell;
static gboolean wants_warnings;

// The receiver, if a line from that place is to be reported now, and how many lines were held back.
static vit_log_teller turn(const char *file, gint line, gboolean is_error, guint *held_back)
{
    vit_log_teller teller = NULL;
    gint64 now = g_get_monotonic_time();
    g_mutex_lock(&lock);
    if (tell && (is_error || wants_warnings)) {
        Place *place = &places[0];
        for (int i = 0; i < PLACES; i++) {
            if (places[i].file == file && places[i].line == line) {
                place = &places[i];
                break;
            }
            if (places[i].told < place->told)
                place = &places[i];
        }
        gboolean is_known = place->file == file && place->line == line;
        if (is_known && now - place->told < INTERVAL) {
            place->held_back++;
        } else {
            *held_back = is_known ? place->held_back : 0;
            *place = (Place){file, line, 0, now};
            teller = tell;
        }
    }
    g_mutex_unlock(&lock);
    return teller;
}

static void log_line(GstDebugCategory *category, GstDebugLevel level, const gchar *file, const gchar *function, gint line,
                     GObject *object, GstDebugMessage *message, gpointer data)
{
    (void)function;
    (void)data;
    if (level > GST_LEVEL_WARNING || level == GST_LEVEL_NONE)
        return;
    guint held_back = 0;
    vit_log_teller teller = turn(file, line, level == GST_LEVEL_ERROR, &held_back);
    if (!teller)
        return;
    const char *text = gst_debug_message_get(message);
    const char *name = object && GST_IS_OBJECT(object) ? GST_OBJECT_NAME(object) : NULL;
    vit_log_line told = {level == GST_LEVEL_ERROR, gst_debug_category_get_name(category), name ? name : "",
                         text ? text : "", held_back};
    teller(&told);
}

gboolean vit_log_follow(vit_log_teller teller, gboolean warnings)
{
    static gsize is_added = 0;
    if (g_getenv("GST_DEBUG"))
        return FALSE;
    g_mutex_lock(&lock);
    tell = teller;
    wants_warnings = warnings;
    g_mutex_unlock(&lock);
    if (g_once_init_enter(&is_added)) {
        // GStreamer's own function writes to standard error, without the journal's priorities.
        gst_debug_remove_log_function(gst_debug_log_default);
        gst_debug_add_log_function(log_line, NULL, NULL);
        g_once_init_leave(&is_added, 1);
    }
    // For lines above this level GStreamer makes one comparison.
    gst_debug_set_default_threshold(!teller ? GST_LEVEL_NONE : warnings ? GST_LEVEL_WARNING : GST_LEVEL_ERROR);
    return TRUE;
}
