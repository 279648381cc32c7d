// What servers may make us do, by the application's word. Without one nothing is refused.
#pragma once

#include "include/CHTTPSource.h"

#include <libsoup/soup.h>

vit_refusal vit_rules_redirect(GUri *from, GUri *to);
vit_refusal vit_rules_connection(guint farthest, guint target);
vit_refusal vit_rules_list(vit_medium medium, const guint8 *text, gsize count);

// How near the other end of a connection is. `uri` is what is asked for by it: of what lies behind a proxy nobody here knows more
// than its name. 0 while there is no other end.
guint vit_rules_reach(GSocketAddress *address, GUri *uri);
