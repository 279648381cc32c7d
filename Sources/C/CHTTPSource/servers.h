// What the sources of one engine are set to: numbers, certificates, proxy, passwords, and where servers may send them. It goes to a
// source as a GstContext: a pipeline hands it to all that is put into it, and answers with it whoever is made outside of it and asks.
#pragma once

#include "include/CHTTPSource.h"

#include <libsoup/soup.h>

// What those have that nobody has set.
void vit_servers_set_usual(VitServers *servers);
// Not to be released.
VitServers *vit_servers_usual(void);

// Asks the pipeline for it: what comes comes to the element's set_context.
void vit_servers_ask(GstElement *source);

// Sets up what all requests of a session have in common. False, with a text to be freed, where nobody can be trusted.
gboolean vit_servers_prepare(const VitServers *servers, SoupSession *session, char **problem);

// The Authorization header for a hop, to be freed; null where none is due. `given` is the address that led to it. Reads files.
char *vit_servers_authorization(const VitServers *servers, GUri *hop, GUri *given);

// Why a redirect isn't followed, or a connection not used.
vit_refusal vit_servers_refuse_redirect(const VitServers *servers, GUri *from, GUri *to);
vit_refusal vit_servers_refuse_connection(const VitServers *servers, guint farthest, guint target);
