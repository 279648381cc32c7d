// What a medium is, by the application's word.
#pragma once

#include "include/CHTTPSource.h"

#pragma clang assume_nonnull begin

vit_medium vit_sniff(const char *_Nullable type, const guint8 *bytes, gsize count);
// Takes the text, and gives another or the same.
GBytes *vit_mend_manifest(GBytes *text);

#pragma clang assume_nonnull end
