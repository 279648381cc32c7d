#define _GNU_SOURCE
#include "shared-pixels.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// Newer than some headers.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

int vit_pixels_make(size_t size)
{
    int descriptor = memfd_create("picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -errno;
    if (ftruncate(descriptor, (off_t)size) == 0
        && fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return descriptor;
    int code = errno;
    close(descriptor);
    return -code;
}

static bool write_all(int descriptor, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return lseek(descriptor, 0, SEEK_SET) == 0;
}

int vit_pixels_make_file(const void *bytes, size_t size)
{
    int descriptor = memfd_create("file", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -errno;
    if (write_all(descriptor, bytes, size)
        && fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
        return descriptor;
    int code = errno;
    close(descriptor);
    return -code;
}

typedef union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
} control;

int vit_pixels_send(int socket, int descriptor)
{
    char byte = 0;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    control control = {.space = {0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : sent < 0 ? -errno : -EPIPE;
}

int vit_pixels_receive(int socket)
{
    char byte;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    control control = {.space = {0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
    ssize_t received;
    do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (received != 1 || !header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS
        || header->cmsg_len != CMSG_LEN(sizeof(int)))
        return -EPROTO;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

void *vit_pixels_map(int descriptor, size_t size)
{
    void *pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return pixels == MAP_FAILED ? NULL : pixels;
}

void vit_pixels_populate(void *pixels, size_t size) { madvise(pixels, size, MADV_POPULATE_WRITE); }

void vit_pixels_unmap(void *pixels, size_t size) { munmap(pixels, size); }
