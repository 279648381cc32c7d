// The kernel's CEC devices (linux/cec.h, Documentation/userspace-api/media/cec). What Swift cannot reach by itself: ioctl is
// variadic, the requests are macros with a sizeof, the structures have unions and arrays.
//
// Descriptors don't block (O_NONBLOCK). Functions give 0 or more, else a negative errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    // Can send, and take an address by itself.
    bool can_control;
    // The kernel says which connector of which card it belongs to.
    bool has_connector;
    uint32_t card;
    uint32_t connector;
} vit_cec_adapter;

typedef struct {
    // 0xFFFF while nothing is plugged in.
    uint16_t physical;
    // A bit for each logical address that is ours; 0 while there is none.
    uint16_t logical_mask;
} vit_cec_address;

typedef struct {
    uint8_t bytes[16];
    uint32_t length;
    // Of the message that was sent, where this tells what came of it; 0 for one that has come.
    uint32_t sequence;
    // Whether somebody has acknowledged what was sent.
    bool was_heard;
} vit_cec_message;

int vit_cec_describe(int descriptor, vit_cec_adapter *adapter);
int vit_cec_read_address(int descriptor, vit_cec_address *address);

// Has the adapter take the address of a playback device as soon as something is plugged in, and hands us what is sent to
// it. 1 where it has an address already, which some other program gave it.
int vit_cec_become_playback(int descriptor, const char *name);
// Gives the address back.
int vit_cec_become_nobody(int descriptor);

// Begins to send; what came of it is received later, by its sequence number.
int vit_cec_send(int descriptor, const uint8_t *bytes, uint32_t length, uint32_t *sequence);
// 1 for a message, 0 for none.
int vit_cec_receive(int descriptor, vit_cec_message *message);
// 1 for a change of address, 2 for another event, 0 for none.
int vit_cec_next_event(int descriptor, vit_cec_address *address);

#pragma clang assume_nonnull end
