import CDevices
import FileSystem
import MainLoop

/// Reports when a graphics card or one of its screens comes or goes.
///
/// Events come from udev, once its rules have given a new card its permissions; without udev, as in a container,
/// straight from the kernel. Confined to the loop's thread.
///
/// This file is the only one that calls libudev.
final class ScreenWatch {
  private let udev: OpaquePointer
  private let monitor: OpaquePointer
  private var source: EventSource?

  /// - Parameter onChange: called on the loop, once for all events that are waiting.
  /// - Returns: nil if the system has no such events.
  init?(on loop: EventLoop, onChange: @escaping () -> Void) {
    guard let udev = udev_new() else { return nil }
    let origin = FileTree.isThere("/run/udev/control") ? "udev" : "kernel"
    guard let monitor = udev_monitor_new_from_netlink(udev, origin) else {
      udev_unref(udev)
      return nil
    }
    self.udev = udev
    self.monitor = monitor
    guard udev_monitor_filter_add_match_subsystem_devtype(monitor, "drm", nil) >= 0,
      udev_monitor_enable_receiving(monitor) >= 0
    else { return nil }
    source = loop.watch(fileDescriptor: udev_monitor_get_fd(monitor), for: .readable) { [monitor] _ in
      var hasCome = false
      // The descriptor doesn't block: nil is the end. Events that are filtered out may wake the loop too.
      while let device = udev_monitor_receive_device(monitor) {
        // The end of one of the player's leases is reported in the same way, and isn't a change of screens.
        if udev_device_get_property_value(device, "LEASE") == nil { hasCome = true }
        udev_device_unref(device)
      }
      if hasCome { onChange() }
    }
  }

  deinit {
    source?.cancel()
    udev_monitor_unref(monitor)
    udev_unref(udev)
  }
}
