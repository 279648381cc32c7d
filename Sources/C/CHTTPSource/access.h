// Certificates, proxy and passwords, for all sources of the process.
#pragma once

#include "include/CHTTPSource.h"

#include <libsoup/soup.h>

// Sets up what all requests of a session have in common. False, with a text to be freed, where nobody can be trusted.
gboolean vit_access_prepare(SoupSession *session, char **problem);

// The Authorization header for an address, to be freed; null where none is due. Reads files.
char *vit_access_authorization(GUri *uri);
