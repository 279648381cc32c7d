#include "ClockThief.h"

/* A clock that goes as the system's does, until it is stopped. */
typedef struct {
    GstSystemClock parent;
    gint is_stopped;
    GstClockTime stopped_at;
} StoppableClock;
typedef struct {
    GstSystemClockClass parent;
} StoppableClockClass;

GType stoppable_clock_get_type(void);
G_DEFINE_TYPE(StoppableClock, stoppable_clock, GST_TYPE_SYSTEM_CLOCK)

static GstClockTime stoppable_clock_time(GstClock *clock)
{
    StoppableClock *self = (StoppableClock *)clock;
    if (g_atomic_int_get(&self->is_stopped)) return self->stopped_at;
    return GST_CLOCK_CLASS(stoppable_clock_parent_class)->get_internal_time(clock);
}

static void stoppable_clock_class_init(StoppableClockClass *class)
{
    GST_CLOCK_CLASS(class)->get_internal_time = stoppable_clock_time;
}
static void stoppable_clock_init(StoppableClock *self) { (void)self; }

typedef struct {
    GstElement parent;
    GstClock *clock;
} ClockThief;
typedef struct {
    GstElementClass parent;
} ClockThiefClass;

GType clock_thief_get_type(void);
G_DEFINE_TYPE(ClockThief, clock_thief, GST_TYPE_ELEMENT)

static GstClock *clock_thief_provide(GstElement *element)
{
    ClockThief *self = (ClockThief *)element;
    GST_OBJECT_LOCK(self);
    GstClock *clock = self->clock ? gst_object_ref(self->clock) : NULL;
    GST_OBJECT_UNLOCK(self);
    return clock;
}

static void clock_thief_finalize(GObject *object)
{
    gst_clear_object(&((ClockThief *)object)->clock);
    G_OBJECT_CLASS(clock_thief_parent_class)->finalize(object);
}

static void clock_thief_class_init(ClockThiefClass *class)
{
    GST_ELEMENT_CLASS(class)->provide_clock = clock_thief_provide;
    G_OBJECT_CLASS(class)->finalize = clock_thief_finalize;
    gst_element_class_set_static_metadata(
        GST_ELEMENT_CLASS(class), "Clock thief", "Test", "Gives a clock and takes it away", "Vitrine");
}

static void clock_thief_init(ClockThief *self)
{
    self->clock = gst_object_ref_sink(g_object_new(stoppable_clock_get_type(), "name", "thief", NULL));
    GST_OBJECT_FLAG_SET(self, GST_ELEMENT_FLAG_PROVIDE_CLOCK);
}

GstElement *clock_thief_new(void) { return g_object_new(clock_thief_get_type(), NULL); }

void clock_thief_take(GstElement *thief)
{
    ClockThief *self = (ClockThief *)thief;
    GST_OBJECT_LOCK(self);
    GstClock *clock = self->clock;
    self->clock = NULL;
    GST_OBJECT_FLAG_UNSET(self, GST_ELEMENT_FLAG_PROVIDE_CLOCK);
    GST_OBJECT_UNLOCK(self);
    if (!clock) return;
    StoppableClock *stoppable = (StoppableClock *)clock;
    stoppable->stopped_at = gst_clock_get_internal_time(clock);
    g_atomic_int_set(&stoppable->is_stopped, 1);
    gst_element_post_message(thief, gst_message_new_clock_lost(GST_OBJECT(thief), clock));
    gst_object_unref(clock);
}

void clock_thief_give(GstElement *thief)
{
    ClockThief *self = (ClockThief *)thief;
    GstClock *clock = gst_object_ref_sink(g_object_new(stoppable_clock_get_type(), "name", "thief", NULL));
    GST_OBJECT_LOCK(self);
    gst_clear_object(&self->clock);
    self->clock = gst_object_ref(clock);
    GST_OBJECT_FLAG_SET(self, GST_ELEMENT_FLAG_PROVIDE_CLOCK);
    GST_OBJECT_UNLOCK(self);
    gst_element_post_message(thief, gst_message_new_clock_provide(GST_OBJECT(thief), clock, TRUE));
    gst_object_unref(clock);
}

gboolean clock_thief_is_used(GstElement *thief, GstElement *pipeline)
{
    GstClock *own = clock_thief_provide(thief);
    GstClock *used = gst_element_get_clock(pipeline);
    gboolean is_used = own && own == used;
    gst_clear_object(&own);
    gst_clear_object(&used);
    return is_used;
}
