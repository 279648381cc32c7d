// The kernel's CEC devices (linux/cec.h, Documentation/userspace-api/media/cec). Swift can't use them by itself: ioctl
// is variadic, the requests are macros with a sizeof, the structures have unions and arrays.
//
// Descriptors don't block (O_NONBLOCK). Functions return 0 or more, else a negative errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    // The adapter can send, and claim an address by itself.
    bool can_control;
    // The kernel says which connector of which card the adapter belongs to.
    bool has_connector;
    uint32_t card;
    uint32_t connector;
} vit_cec_adapter;

typedef struct {
    // 0xFFFF while no cable is plugged in.
    uint16_t physical;
    // A bit for each logical address that the adapter has; 0 for none.
    uint16_t logical_mask;
} vit_cec_address;

typedef struct {
    uint8_t bytes[16];
    uint32_t length;
    // The number of the sent message, where this reports its outcome; 0 for a received message.
    uint32_t sequence;
    // Whether the sent message was acknowledged.
    bool was_heard;
} vit_cec_message;

int vit_cec_describe(int descriptor, vit_cec_adapter *adapter);
int vit_cec_read_address(int descriptor, vit_cec_address *address);

// Makes the adapter claim the address of a playback device as soon as a cable is plugged in, and pass on messages to
// it. Returns 1 where it has an address already, which another program gave it.
int vit_cec_become_playback(int descriptor, const char *name);
// Gives the address up.
int vit_cec_become_nobody(int descriptor);

// Begins to send a message; its outcome is received later, with the same sequence number.
int vit_cec_send(int descriptor, const uint8_t *bytes, uint32_t length, uint32_t *sequence);
// Returns 1 for a message, 0 for none.
int vit_cec_receive(int descriptor, vit_cec_message *message);
// Returns 1 for a change of address, 2 for another event, 0 for none.
int vit_cec_next_event(int descriptor, vit_cec_address *address);

#pragma clang assume_nonnull end
