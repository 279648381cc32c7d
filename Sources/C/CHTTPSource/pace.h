// How often a host that fails may be asked, by all sources of the process together: it is to be left in peace by all of them, whoever
// they play for. By what numbers a host is spared is said by who asks it.
#pragma once

#include "include/CHTTPSource.h"

// Monotonic time in microseconds before which the host must not be asked. Taking it is a promise to ask then: the next
// caller gets a later one. 0 for a host that is well.
gint64 vit_pace_take_turn(const char *host, const vit_http_policy *policy);
// The host has sent what was asked for.
void vit_pace_succeeded(const char *host);
// It hasn't. `retry_after`: seconds that the server asked for; 0 without.
void vit_pace_failed(const char *host, guint retry_after, const vit_http_policy *policy);
