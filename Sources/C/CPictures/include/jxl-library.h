// Access to libjxl, which is loaded when the first JPEG XL is shown: few boards ever show one, and linking it would
// take 4 ms of each start.
#pragma once

#include <jxl/decode.h>

#pragma clang assume_nonnull begin

// The library's functions that are needed, without their common prefix.
typedef struct {
    __typeof__(JxlDecoderCreate) *create;
    __typeof__(JxlDecoderDestroy) *destroy;
    __typeof__(JxlDecoderSubscribeEvents) *subscribe_events;
    __typeof__(JxlDecoderSetInput) *set_input;
    __typeof__(JxlDecoderReleaseInput) *release_input;
    __typeof__(JxlDecoderCloseInput) *close_input;
    __typeof__(JxlDecoderProcessInput) *process_input;
    __typeof__(JxlDecoderGetBasicInfo) *get_basic_info;
    __typeof__(JxlDecoderImageOutBufferSize) *image_out_buffer_size;
    __typeof__(JxlDecoderSetImageOutBuffer) *set_image_out_buffer;
} vit_jxl;

// The library, which stays loaded; NULL where it is missing, with the reason in `why`, valid until the thread's next
// call. Any thread.
const vit_jxl *_Nullable vit_jxl_load(const char *_Nullable *_Nonnull why);

#pragma clang assume_nonnull end
