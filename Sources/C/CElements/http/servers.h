// The settings of one engine's sources: numbers, certificates, proxy, passwords, and rules for redirects. A source gets
// them as a GstContext: a pipeline passes it to all elements that are added to it, and answers with it sources that are
// made outside of it.
#pragma once

#include "http-source.h"

#include <libsoup/soup.h>

// The settings of sources that were given none.
void vit_servers_set_usual(VitServers *servers);
// The caller doesn't release it.
VitServers *vit_servers_usual(void);

// Asks the pipeline for the settings, which are passed to the element's set_context.
void vit_servers_ask(GstElement *source);

// Applies the settings that all requests of a session share. False, with a text to be freed, where no server can be
// trusted.
gboolean vit_servers_prepare(const VitServers *servers, SoupSession *session, char **problem);

// The Authorization header for a hop, to be freed; null where none is needed. `given` is the address that led to it.
// Reads files.
char *vit_servers_authorization(const VitServers *servers, GUri *hop, GUri *given);

// The reason for which a redirect isn't followed, or a connection not used.
vit_refusal vit_servers_refuse_redirect(const VitServers *servers, GUri *from, GUri *to);
vit_refusal vit_servers_refuse_connection(const VitServers *servers, guint farthest, guint target);
