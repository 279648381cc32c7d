// Recognises media, with the application's function.
#pragma once

#include "http-source.h"

#pragma clang assume_nonnull begin

vit_medium vit_sniff(const char *_Nullable type, const guint8 *bytes, gsize count);
// Takes ownership of the text, and returns a repaired one or the same.
GBytes *vit_mend_manifest(GBytes *text);

#pragma clang assume_nonnull end
