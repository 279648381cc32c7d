// Facts that hold for every source of the process: how near a server is, and what a list of parts may name. The
// application provides them; without them no reach is known, and no list is refused.
#pragma once

#include "http-source.h"

#include <libsoup/soup.h>

vit_refusal vit_rules_list(vit_medium medium, const guint8 *text, gsize count);

// The reach of a connection's other end. `uri` is the requested address: of a server behind a proxy only the name is
// known. 0 while there is no other end.
guint vit_rules_reach(GSocketAddress *address, GUri *uri);
