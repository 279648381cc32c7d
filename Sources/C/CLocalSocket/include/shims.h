// Sockets of this machine by a path, and who is at their other end. What Swift can't reach: sockaddr_un, ucred, flags that are enums.
#pragma once

#include <stddef.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct vit_peer {
  pid_t process;
  uid_t user;
  gid_t group;
};

// Functions give a descriptor or a count, else a negative errno. Nothing is inherited by other programs.

// Makes a socket that nobody but its owner may connect to until its mode is set.
int vit_local_listen(const char *path, mode_t mode, int backlog);
// A client that doesn't wait: -EAGAIN means that somebody is there and has no time.
int vit_local_connect(const char *path);
// -EAGAIN when nobody waits.
int vit_local_accept(int listener);
int vit_local_peer(int socket, struct vit_peer *peer);
// Never wait and never raise SIGPIPE; 0 of a read is the end.
long vit_local_send(int socket, const void *bytes, size_t count);
long vit_local_receive(int socket, void *bytes, size_t count);
// Waits until it can be read (or, with isWriting, written); 0 when the time is over.
int vit_local_wait(int socket, int isWriting, int milliseconds);

#pragma clang assume_nonnull end
