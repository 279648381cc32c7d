// Cookies that servers set while one item is fetched, for the requests for that item that follow: signed ones of a content network, and
// sessions that a redirect begins. In memory only, and gone with the item. Any thread.
#pragma once

#include <libsoup/soup.h>

typedef struct VitJar VitJar;

VitJar *vit_jar_new(void);
void vit_jar_free(VitJar *jar);

// Takes what an answer sets. True where that is new: the same address may answer otherwise then.
gboolean vit_jar_take(VitJar *jar, GUri *from, SoupMessage *message);
// The Cookie header for an address, to be freed; null where none is due.
char *vit_jar_header(VitJar *jar, GUri *to);
