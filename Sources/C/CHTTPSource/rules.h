// What is so for every source of the process: how near a server is, and what a list of parts may name. By the application's word;
// without one nothing is known, and nothing refused.
#pragma once

#include "include/CHTTPSource.h"

#include <libsoup/soup.h>

vit_refusal vit_rules_list(vit_medium medium, const guint8 *text, gsize count);

// How near the other end of a connection is. `uri` is what is asked for by it: of what lies behind a proxy nobody here knows more
// than its name. 0 while there is no other end.
guint vit_rules_reach(GSocketAddress *address, GUri *uri);
