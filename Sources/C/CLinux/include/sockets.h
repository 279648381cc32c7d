// Sockets: Unix ones with a path, and the processes at their other ends; TCP and UDP at an address, and the addresses of
// their other ends. Swift can't use these by itself: sockaddr_un, sockaddr_storage, ucred, flags that are enums.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct vit_peer {
  pid_t process;
  uid_t user;
  gid_t group;
};

// An address of IPv4 (4 bytes) or IPv6 (16), in the network's order.
struct vit_address {
  uint8_t bytes[16];
  uint32_t length;
  // The interface of a link-local address of IPv6; 0 for others.
  uint32_t scope;
  uint16_t port;
};

// Functions return a descriptor or a count, else a negative errno. Descriptors aren't inherited by other programs.

// Makes a socket to which only its owner can connect until its mode is set.
int vit_socket_listen_local(const char *path, mode_t mode, int backlog);
// Listens at a literal address, for connections (TCP), or, with isDatagram, for datagrams (UDP). [::] is all addresses of
// the machine, those of IPv4 too.
int vit_socket_listen(const char *host, uint16_t port, int isDatagram, int backlog);
// Connects without waiting: -EAGAIN means that the other side exists and is busy.
int vit_socket_connect_local(const char *path);
// -EAGAIN when no client waits.
int vit_socket_accept(int listener);
int vit_socket_peer(int socket, struct vit_peer *peer);
// The other end of a TCP connection.
int vit_socket_address(int socket, struct vit_address *address);
// Lets the kernel find out that the other machine is gone: after a minute without a byte, within half a minute more.
int vit_socket_keep_alive(int socket);
// One datagram and its sender; bytes beyond count are lost.
long vit_socket_receive_from(int socket, void *bytes, size_t count, struct vit_address *sender);
long vit_socket_send_to(int socket, const void *bytes, size_t count, const struct vit_address *receiver);
// A UDP socket of IPv4, or with isVersion6 of IPv6, for sending: to one machine, to a group or to all of a network.
int vit_socket_sender(int isVersion6);
// Begins a connection by TCP, without waiting: the socket can be written once that is decided.
int vit_socket_connect(const struct vit_address *address);
// 0, or the negative errno of a connection that failed.
int vit_socket_error(int socket);
// The first address of a host. With isLiteral only of a literal one, without asking anybody; else it waits for as long as
// the system takes. -EAGAIN: no name server answers; -ENOENT: none knows the name.
int vit_socket_resolve(const char *host, uint16_t port, int isLiteral, struct vit_address *address);
// Never wait and never raise SIGPIPE; a read of 0 is the end.
long vit_socket_send(int socket, const void *bytes, size_t count);
long vit_socket_receive(int socket, void *bytes, size_t count);
// Waits until the socket can be read (or, with isWriting, written); 0 when the time is over.
int vit_socket_wait(int socket, int isWriting, int milliseconds);

#pragma clang assume_nonnull end
