// Limits how often a failing host is asked, by all sources of the process together, whatever they play. Each caller
// passes the numbers of its own policy.
#pragma once

#include "http-source.h"

// Monotonic time in microseconds before which the host must not be asked. The caller has to ask at that time: the next
// caller gets a later one. 0 for a host that doesn't fail.
gint64 vit_pace_take_turn(const char *host, const vit_http_policy *policy);
// Records that the host has answered a request.
void vit_pace_succeeded(const char *host);
// Records that the host has failed. `retry_after`: seconds that the server asked for; 0 without.
void vit_pace_failed(const char *host, guint retry_after, const vit_http_policy *policy);
