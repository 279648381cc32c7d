#include "jxl-library.h"

#include <dlfcn.h>
#include <jxl/version.h>
#include <pthread.h>
#include <stdbool.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
// The version of the headers: other versions may have other structures.
#define LIBRARY "libjxl.so." TEXT(JPEGXL_MAJOR_VERSION) "." TEXT(JPEGXL_MINOR_VERSION)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vit_jxl library;
static bool is_loaded;

static bool load(void) {
    void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
#define FIND(field, name)                                                                                              \
    if (!(library.field = (__typeof__(library.field))dlsym(handle, name))) return false;
    FIND(create, "JxlDecoderCreate")
    FIND(destroy, "JxlDecoderDestroy")
    FIND(subscribe_events, "JxlDecoderSubscribeEvents")
    FIND(set_input, "JxlDecoderSetInput")
    FIND(release_input, "JxlDecoderReleaseInput")
    FIND(close_input, "JxlDecoderCloseInput")
    FIND(process_input, "JxlDecoderProcessInput")
    FIND(get_basic_info, "JxlDecoderGetBasicInfo")
    FIND(image_out_buffer_size, "JxlDecoderImageOutBufferSize")
    FIND(set_image_out_buffer, "JxlDecoderSetImageOutBuffer")
    return true;
}

const vit_jxl *vit_jxl_load(const char **why) {
    pthread_mutex_lock(&lock);
    if (!is_loaded) is_loaded = load();
    *why = is_loaded ? NULL : dlerror();
    pthread_mutex_unlock(&lock);
    return is_loaded ? &library : NULL;
}
