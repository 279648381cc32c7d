#include "cec.h"

#include <errno.h>
#include <linux/cec.h>
#include <linux/cec-funcs.h>
#include <string.h>
#include <sys/ioctl.h>

static int result(int returned) { return returned < 0 ? -errno : 0; }

int vit_cec_describe(int descriptor, vit_cec_adapter *adapter)
{
    const uint32_t control = CEC_CAP_TRANSMIT | CEC_CAP_LOG_ADDRS;
    struct cec_caps caps = { 0 };
    int failed = result(ioctl(descriptor, CEC_ADAP_G_CAPS, &caps));
    if (failed)
        return failed;
    *adapter = (vit_cec_adapter){ .can_control = (caps.capabilities & control) == control };
    if (!(caps.capabilities & CEC_CAP_CONNECTOR_INFO))
        return 0;
    struct cec_connector_info info = { 0 };
    failed = result(ioctl(descriptor, CEC_ADAP_G_CONNECTOR_INFO, &info));
    if (failed || info.type != CEC_CONNECTOR_TYPE_DRM)
        return failed;
    adapter->has_connector = true;
    adapter->card = info.drm.card_no;
    adapter->connector = info.drm.connector_id;
    return 0;
}

int vit_cec_read_address(int descriptor, vit_cec_address *address)
{
    struct cec_log_addrs logical = { 0 };
    uint16_t physical = CEC_PHYS_ADDR_INVALID;
    int failed = result(ioctl(descriptor, CEC_ADAP_G_PHYS_ADDR, &physical));
    if (!failed)
        failed = result(ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &logical));
    *address = (vit_cec_address){ .physical = physical, .logical_mask = logical.log_addr_mask };
    return failed;
}

int vit_cec_become_playback(int descriptor, const char *name)
{
    uint32_t mode = CEC_MODE_INITIATOR | CEC_MODE_FOLLOWER;
    int failed = result(ioctl(descriptor, CEC_S_MODE, &mode));
    if (failed)
        return failed;
    struct cec_log_addrs now = { 0 };
    failed = result(ioctl(descriptor, CEC_ADAP_G_LOG_ADDRS, &now));
    if (failed)
        return failed;
    if (now.num_log_addrs > 0)
        return 1;
    struct cec_log_addrs wanted = {
        .cec_version = CEC_OP_CEC_VERSION_1_4,
        .num_log_addrs = 1,
        .vendor_id = CEC_VENDOR_ID_NONE,
        .primary_device_type = { CEC_OP_PRIM_DEVTYPE_PLAYBACK },
        .log_addr_type = { CEC_LOG_ADDR_TYPE_PLAYBACK },
        .all_device_types = { CEC_OP_ALL_DEVTYPE_PLAYBACK },
    };
    strncpy(wanted.osd_name, name, sizeof wanted.osd_name - 1);
    return result(ioctl(descriptor, CEC_ADAP_S_LOG_ADDRS, &wanted));
}

int vit_cec_become_nobody(int descriptor)
{
    struct cec_log_addrs none = { 0 };
    return result(ioctl(descriptor, CEC_ADAP_S_LOG_ADDRS, &none));
}

int vit_cec_send(int descriptor, const uint8_t *bytes, uint32_t length, uint32_t *sequence)
{
    struct cec_msg message = { .len = length };
    if (length == 0 || length > sizeof message.msg)
        return -EINVAL;
    memcpy(message.msg, bytes, length);
    int failed = result(ioctl(descriptor, CEC_TRANSMIT, &message));
    *sequence = message.sequence;
    return failed;
}

int vit_cec_receive(int descriptor, vit_cec_message *message)
{
    struct cec_msg received = { 0 };
    int failed = result(ioctl(descriptor, CEC_RECEIVE, &received));
    // EAGAIN and ETIMEDOUT mean no message. So does ENONET, for a moment: no cable is plugged in, so no message can
    // come.
    if (failed)
        return failed == -EAGAIN || failed == -ETIMEDOUT || failed == -ENONET ? 0 : failed;
    *message = (vit_cec_message){
        .length = received.len <= sizeof message->bytes ? received.len : sizeof message->bytes,
        .sequence = received.sequence,
        .was_heard = received.tx_status & CEC_TX_STATUS_OK,
    };
    memcpy(message->bytes, received.msg, sizeof message->bytes);
    return 1;
}

int vit_cec_next_event(int descriptor, vit_cec_address *address)
{
    struct cec_event event = { 0 };
    int failed = result(ioctl(descriptor, CEC_DQEVENT, &event));
    if (failed)
        return failed == -EAGAIN ? 0 : failed;
    if (event.event != CEC_EVENT_STATE_CHANGE)
        return 2;
    *address = (vit_cec_address){
        .physical = event.state_change.phys_addr, .logical_mask = event.state_change.log_addr_mask };
    return 1;
}
