// Certificates, proxy and passwords, for all sources of the process.
#pragma once

#include "include/CHTTPSource.h"

#include <libsoup/soup.h>

// Sets up what all requests of a session have in common. False, with a text to be freed, where nobody can be trusted.
gboolean vit_access_prepare(SoupSession *session, char **problem);

// An address in parts, which are the URI's own but for the text of user and password.
typedef struct {
    vit_address parts;
    char *user_info;
} VitAddress;
void vit_address_take_apart(GUri *uri, VitAddress *address);
void vit_address_clear(VitAddress *address);

// The Authorization header for a hop, to be freed; null where none is due. `given` is the address that led to it. Reads files.
char *vit_access_authorization(GUri *hop, GUri *given);
