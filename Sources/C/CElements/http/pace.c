#include "pace.h"

// One entry for each host that fails: they are few, and removed with the next success.
typedef struct {
    // When the failure began, and when the next request may be made.
    gint64 since;
    gint64 next;
    // Failures since the eager time ended.
    guint patient;
} Host;

static GMutex lock;
static GHashTable *hosts;

static Host *find(const char *name) { return hosts ? g_hash_table_lookup(hosts, name) : NULL; }

static gint64 delay(const Host *host, const vit_http_policy *policy) {
    gint64 plain = (gint64)policy->first_delay << MIN(host->patient, 16);
    plain = MIN(plain, policy->longest_delay);
    plain += plain * g_random_int_range(0, (gint32)policy->jitter + 1) / 1000;
    return MIN(plain, MAX(policy->longest_delay, policy->first_delay)) * 1000;
}

gint64 vit_pace_take_turn(const char *name, const vit_http_policy *policy) {
    g_mutex_lock(&lock);
    Host *host = find(name);
    gint64 turn = 0;
    if (host) {
        turn = MAX(host->next, g_get_monotonic_time());
        // A second caller waits for another delay, until this request has failed or taken its time.
        host->next = turn + delay(host, policy);
    }
    g_mutex_unlock(&lock);
    return turn;
}

void vit_pace_succeeded(const char *name) {
    g_mutex_lock(&lock);
    if (hosts) g_hash_table_remove(hosts, name);
    g_mutex_unlock(&lock);
}

void vit_pace_failed(const char *name, guint retry_after, const vit_http_policy *policy) {
    g_mutex_lock(&lock);
    if (!hosts) hosts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gint64 now = g_get_monotonic_time();
    Host *host = find(name);
    if (!host) {
        host = g_new0(Host, 1);
        host->since = now;
        g_hash_table_insert(hosts, g_strdup(name), host);
    }
    if (now - host->since > (gint64)policy->eager_for * 1000) host->patient += 1;
    gint64 wait = delay(host, policy);
    gint64 asked = (gint64)MIN(retry_after, policy->longest_delay / 1000) * G_USEC_PER_SEC;
    host->next = MAX(host->next, now + MAX(wait, asked));
    g_mutex_unlock(&lock);
}

void vit_http_source_forget_failures(void) {
    g_mutex_lock(&lock);
    if (hosts) g_hash_table_remove_all(hosts);
    g_mutex_unlock(&lock);
}
