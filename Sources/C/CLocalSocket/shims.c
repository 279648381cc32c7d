#define _GNU_SOURCE
#include "shims.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int address_of(const char *path, struct sockaddr_un *name) {
  size_t length = strlen(path);
  if (length == 0) return -ENOENT;
  if (length >= sizeof name->sun_path) return -ENAMETOOLONG;
  *name = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(name->sun_path, path, length + 1);
  return 0;
}

static int failure(int descriptor) {
  int error = errno;
  close(descriptor);
  return -error;
}

int vit_local_listen(const char *path, mode_t mode, int backlog) {
  struct sockaddr_un name;
  int result = address_of(path, &name);
  if (result < 0) return result;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -errno;
  // Linux makes the file with the mode of the socket: nobody else can come in before the mode is the right one.
  if (fchmod(listener, 0600) != 0 || bind(listener, (struct sockaddr *)&name, sizeof name) != 0) return failure(listener);
  if (listen(listener, backlog) != 0 || chmod(path, mode) != 0) {
    int error = errno;
    unlink(path);
    close(listener);
    return -error;
  }
  return listener;
}

int vit_local_connect(const char *path) {
  struct sockaddr_un name;
  int result = address_of(path, &name);
  if (result < 0) return result;
  int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (client < 0) return -errno;
  if (connect(client, (struct sockaddr *)&name, sizeof name) != 0) return failure(client);
  return client;
}

int vit_local_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return client < 0 ? -errno : client;
}

int vit_local_peer(int socket, struct vit_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
  *peer = (struct vit_peer){credentials.pid, credentials.uid, credentials.gid};
  return 0;
}

long vit_local_send(int socket, const void *bytes, size_t count) {
  ssize_t sent;
  do sent = send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

long vit_local_receive(int socket, void *bytes, size_t count) {
  ssize_t received;
  do received = recv(socket, bytes, count, MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  return received < 0 ? -errno : received;
}

int vit_local_wait(int socket, int isWriting, int milliseconds) {
  struct pollfd one = {.fd = socket, .events = isWriting ? POLLOUT : POLLIN};
  int result;
  do result = poll(&one, 1, milliseconds);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}
