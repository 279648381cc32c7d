internal import CGStreamer
internal import CGStreamerShims
public import PlaybackCore

/// A sound device that can be named in the settings.
public struct SoundDeviceInfo: Hashable, Sendable {
  public var device: SoundDevice
  /// The system's name of the device, for people.
  public var title: String
}

/// The sound devices of the machine.
public enum SoundDevices {
  /// Lists the devices that are there now, of PulseAudio, PipeWire and ALSA. Blocks for some tens of milliseconds, and
  /// with a server that hangs for as long as its library waits: don't call it on the loop.
  ///
  /// - Throws: 7201 when GStreamer can't start.
  public static func list() throws(VitrineError) -> [SoundDeviceInfo] {
    try GStreamerLibrary.start()
    guard let monitor = gst_device_monitor_new() else { return [] }
    defer { gst_object_unref(monitor) }
    _ = gst_device_monitor_add_filter(monitor, "Audio/Sink", nil)
    guard gst_device_monitor_start(monitor) != 0 else { return [] }
    defer { gst_device_monitor_stop(monitor) }
    var found: [SoundDeviceInfo] = []
    let devices = gst_device_monitor_get_devices(monitor)
    defer { g_list_free(devices) }
    var item = devices
    while let link = item {
      if let data = link.pointee.data {
        if let info = info(of: data.assumingMemoryBound(to: GstDevice.self)), !found.contains(info) {
          found.append(info)
        }
        gst_object_unref(data)
      }
      item = link.pointee.next
    }
    return found
  }

  /// The device's name as settings spell it. Each provider keeps the name elsewhere, so it is read from a sink that the
  /// provider makes.
  /// property.
  private static func info(of device: UnsafeMutablePointer<GstDevice>) -> SoundDeviceInfo? {
    guard let text = gst_device_get_display_name(device) else { return nil }
    defer { g_free(text) }
    guard let made = gst_device_create_element(device, nil) else { return nil }
    let sink = Element(sinking: made)
    let name = sink.string("device") ?? sink.string("target-object")
    let named: SoundDevice
    switch sink.factory {
    case "pulsesink": named = .pulse(sink: name)
    case "alsasink": named = .alsa(pcm: name)
    case "pipewiresink": named = .pipewire(node: name)
    default: return nil
    }
    return SoundDeviceInfo(device: named, title: String(cString: text))
  }
}
