// Stands in for a console of the kernel, which pseudo-terminals are not: what is asked of it goes to the file CONSOLE_LOG.
//
//     gcc -shared -fPIC -o shim.so console-shim.c; LD_PRELOAD=shim.so CONSOLE_LOG=log ...
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define TERMINAL_DEVICE 0x80045432UL

static int note(const char *what, long value)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%s %ld\n", what, value);
    int file = open(getenv("CONSOLE_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, line, length) != length)
        return -1;
    return close(file);
}

int ioctl(int file, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    switch (request) {
    case TERMINAL_DEVICE: *(unsigned *)argument = makedev(4, 1); return 0;
    case KDGETMODE: *(int *)argument = KD_TEXT; return 0;
    case KDGKBMODE: *(int *)argument = K_XLATE; return 0;
    case KDSETMODE: return note("graphics", (long)argument);
    case KDSKBMODE: return note("keyboard", (long)argument);
    case VT_ACTIVATE: return note("activate", (long)argument);
    }
    int (*real)(int, unsigned long, void *) = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
    return real(file, request, argument);
}
