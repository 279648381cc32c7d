// Messages to a service manager, with a descriptor where one belongs to them. Swift can't use the macros of SCM_RIGHTS.
#pragma once

#pragma clang assume_nonnull begin

// Sends one datagram to a Unix socket; an address that begins with @ is an abstract one.
//
// descriptor: sent along as a duplicate; -1 for none.
// Returns 0, else a negative errno. Doesn't wait: -EAGAIN where the other side doesn't read.
int vit_service_send(const char *address, const char *text, int descriptor);

#pragma clang assume_nonnull end
