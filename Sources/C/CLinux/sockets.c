#define _GNU_SOURCE
#include "sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
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

int vit_socket_listen_local(const char *path, mode_t mode, int backlog) {
  struct sockaddr_un name;
  int result = address_of(path, &name);
  if (result < 0) return result;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) return -errno;
  // Linux makes the file with the socket's mode: no other user can connect before the final mode is set.
  if (fchmod(listener, 0600) != 0 || bind(listener, (struct sockaddr *)&name, sizeof name) != 0) return failure(listener);
  if (listen(listener, backlog) != 0 || chmod(path, mode) != 0) {
    int error = errno;
    unlink(path);
    close(listener);
    return -error;
  }
  return listener;
}

int vit_socket_connect_local(const char *path) {
  struct sockaddr_un name;
  int result = address_of(path, &name);
  if (result < 0) return result;
  int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (client < 0) return -errno;
  if (connect(client, (struct sockaddr *)&name, sizeof name) != 0) return failure(client);
  return client;
}

int vit_socket_accept(int listener) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return client < 0 ? -errno : client;
}

int vit_socket_peer(int socket, struct vit_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
  *peer = (struct vit_peer){credentials.pid, credentials.uid, credentials.gid};
  return 0;
}

long vit_socket_send(int socket, const void *bytes, size_t count) {
  ssize_t sent;
  do sent = send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

long vit_socket_receive(int socket, void *bytes, size_t count) {
  ssize_t received;
  do received = recv(socket, bytes, count, MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  return received < 0 ? -errno : received;
}

int vit_socket_wait(int socket, int isWriting, int milliseconds) {
  struct pollfd one = {.fd = socket, .events = isWriting ? POLLOUT : POLLIN};
  int result;
  do result = poll(&one, 1, milliseconds);
  while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

// The kernel's form of an address; returns its length, 0 for none.
static socklen_t to_kernel(const struct vit_address *address, struct sockaddr_storage *storage) {
  memset(storage, 0, sizeof *storage);
  if (address->length == 4) {
    struct sockaddr_in *name = (struct sockaddr_in *)storage;
    name->sin_family = AF_INET;
    name->sin_port = htons(address->port);
    memcpy(&name->sin_addr, address->bytes, 4);
    return sizeof *name;
  }
  if (address->length != 16) return 0;
  struct sockaddr_in6 *name = (struct sockaddr_in6 *)storage;
  name->sin6_family = AF_INET6;
  name->sin6_port = htons(address->port);
  name->sin6_scope_id = address->scope;
  memcpy(&name->sin6_addr, address->bytes, 16);
  return sizeof *name;
}

static void from_kernel(const struct sockaddr_storage *storage, struct vit_address *address) {
  memset(address, 0, sizeof *address);
  if (storage->ss_family == AF_INET) {
    const struct sockaddr_in *name = (const struct sockaddr_in *)storage;
    address->length = 4;
    address->port = ntohs(name->sin_port);
    memcpy(address->bytes, &name->sin_addr, 4);
  } else if (storage->ss_family == AF_INET6) {
    const struct sockaddr_in6 *name = (const struct sockaddr_in6 *)storage;
    address->length = 16;
    address->port = ntohs(name->sin6_port);
    address->scope = name->sin6_scope_id;
    memcpy(address->bytes, &name->sin6_addr, 16);
  }
}

int vit_socket_listen(const char *host, uint16_t port, int isDatagram, int backlog) {
  struct vit_address address = {.port = port};
  if (inet_pton(AF_INET, host, address.bytes) == 1) address.length = 4;
  else if (inet_pton(AF_INET6, host, address.bytes) == 1) address.length = 16;
  else return -EINVAL;
  struct sockaddr_storage name;
  socklen_t length = to_kernel(&address, &name);
  int type = (isDatagram ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC | SOCK_NONBLOCK;
  int listener = socket(name.ss_family, type, 0);
  if (listener < 0) return -errno;
  int on = 1, off = 0;
  // A player that starts again may listen although connections of the one before are still closing. With UDP the option
  // would let two players share the port.
  if (!isDatagram && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return failure(listener);
  if (address.length == 16 && setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) return failure(listener);
  if (bind(listener, (struct sockaddr *)&name, length) != 0) return failure(listener);
  if (!isDatagram && listen(listener, backlog) != 0) return failure(listener);
  return listener;
}

int vit_socket_address(int socket, struct vit_address *address) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  if (getpeername(socket, (struct sockaddr *)&name, &length) != 0) return -errno;
  from_kernel(&name, address);
  return 0;
}

int vit_socket_keep_alive(int socket) {
  int on = 1, idle = 60, interval = 10, count = 3;
  if (setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) != 0 ||
      setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle) != 0 ||
      setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval) != 0 ||
      setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count) != 0)
    return -errno;
  return 0;
}

long vit_socket_receive_from(int socket, void *bytes, size_t count, struct vit_address *sender) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  ssize_t received;
  do received = recvfrom(socket, bytes, count, MSG_DONTWAIT, (struct sockaddr *)&name, &length);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  from_kernel(&name, sender);
  return received;
}

long vit_socket_send_to(int socket, const void *bytes, size_t count, const struct vit_address *receiver) {
  struct sockaddr_storage name;
  socklen_t length = to_kernel(receiver, &name);
  ssize_t sent;
  do sent = sendto(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&name, length);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int vit_socket_sender(int isVersion6) {
  int sender = socket(isVersion6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (sender < 0) return -errno;
  int on = 1;
  if (setsockopt(sender, SOL_SOCKET, SO_BROADCAST, &on, sizeof on) != 0) return failure(sender);
  return sender;
}

int vit_socket_connect(const struct vit_address *address) {
  struct sockaddr_storage name;
  socklen_t length = to_kernel(address, &name);
  if (length == 0) return -EINVAL;
  int client = socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (client < 0) return -errno;
  int on = 1;
  // A cue is one short text: it mustn't wait for another one.
  if (setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) return failure(client);
  if (connect(client, (struct sockaddr *)&name, length) != 0 && errno != EINPROGRESS) return failure(client);
  return client;
}

int vit_socket_error(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return -errno;
  return -error;
}

int vit_socket_resolve(const char *host, uint16_t port, int isLiteral, struct vit_address *address) {
  // Only families that this machine has an address of.
  struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = isLiteral ? AI_NUMERICHOST : AI_ADDRCONFIG};
  struct addrinfo *found = NULL;
  int result = getaddrinfo(host, NULL, &hints, &found);
  if (result != 0) return result == EAI_AGAIN ? -EAGAIN : -ENOENT;
  struct sockaddr_storage name;
  memset(&name, 0, sizeof name);
  size_t length = found->ai_addrlen < sizeof name ? found->ai_addrlen : sizeof name;
  memcpy(&name, found->ai_addr, length);
  freeaddrinfo(found);
  from_kernel(&name, address);
  if (address->length == 0) return -ENOENT;
  address->port = port;
  return 0;
}
