#define _GNU_SOURCE
#include "service-manager.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int vit_service_send(const char *address, const char *text, int descriptor) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  size_t length = strlen(address);
  if (length == 0 || length >= sizeof name.sun_path) return -EINVAL;
  memcpy(name.sun_path, address, length);
  if (address[0] == '@') name.sun_path[0] = 0;

  int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ < 0) return -errno;
  struct iovec part = {.iov_base = (void *)text, .iov_len = strlen(text)};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
  } control = {.space = {0}};
  struct msghdr message = {
      .msg_name = &name,
      .msg_namelen = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length),
      .msg_iov = &part,
      .msg_iovlen = 1,
  };
  if (descriptor >= 0) {
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  int result = sendmsg(socket_, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
  close(socket_);
  return result;
}
