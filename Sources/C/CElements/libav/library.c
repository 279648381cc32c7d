#include "library.h"

#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavformat/version.h>
#include <libavutil/version.h>
#include <pthread.h>
#include <stdbool.h>

// The versions of the headers: other versions have other structures.
#define SONAME(name, major) "lib" name ".so." AV_STRINGIFY(major)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static vit_libav library;
static bool is_loaded;

static bool load(void) {
    void *util = dlopen(SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    void *codec = dlopen(SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    void *format = dlopen(SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!util || !codec || !format) return false;
#define FIND(from, name)                                                                                               \
    if (!(library.name = (__typeof__(library.name))dlsym(from, #name))) return false;
    VIT_LIBAV_FUNCTIONS(FIND)
#undef FIND
    library.av_log_set_level(AV_LOG_QUIET);
    return true;
}

const vit_libav *vit_libav_load(void) {
    pthread_mutex_lock(&lock);
    // Never closed: GStreamer's own plugin uses the libraries too.
    if (!is_loaded) is_loaded = load();
    pthread_mutex_unlock(&lock);
    return is_loaded ? &library : NULL;
}
