// Cookies that servers set while one item is fetched, for that item's later requests: signed cookies of content
// networks, and sessions that begin with a redirect. In memory only, and gone with the item. Any thread.
#pragma once

#include <libsoup/soup.h>

typedef struct VitJar VitJar;

VitJar *vit_jar_new(void);
void vit_jar_free(VitJar *jar);

// Stores an answer's cookies. True where any of them is new: the same address may then answer differently.
gboolean vit_jar_take(VitJar *jar, GUri *from, SoupMessage *message);
// The Cookie header for an address, to be freed; null without a cookie for it.
char *vit_jar_header(VitJar *jar, GUri *to);
