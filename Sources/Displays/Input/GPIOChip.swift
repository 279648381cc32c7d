import CLinux
import FileSystem
import Glibc
import InteractionCore
import PlaybackCore

/// A chip of GPIO lines, open for as long as a line is looked for and taken.
///
/// This file is the only one that talks to such devices.
struct GPIOChip: ~Copyable {
  let path: String
  private let descriptor: Int32
  /// The device's name, such as `gpiochip0`.
  let name: String
  /// The driver's name for it, such as `pinctrl-bcm2711`.
  let label: String
  let lineCount: Int

  init(path: String) throws(DeviceFailure) {
    let descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw DeviceFailure(call: "open \(path)", code: errno) }
    var read = vit_gpio_chip()
    do throws(DeviceFailure) {
      try DeviceFailure.check("GPIO_GET_CHIPINFO", vit_gpio_describe_chip(descriptor, &read))
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    name = Self.text(read.name)
    label = Self.text(read.label)
    lineCount = Int(read.line_count)
  }

  deinit { Glibc.close(descriptor) }

  /// Paths of the board's chips, in the order of their numbers.
  static func paths() -> [String] {
    SmallFile.numbered("/dev/gpiochip")
  }

  func isNamed(_ wanted: String) -> Bool { [path, name, label].contains(wanted) }

  /// The line's number on this chip; nil where it has no such line.
  func offset(of line: InputLine) -> UInt32? {
    if let offset = line.offset { return offset < lineCount ? UInt32(offset) : nil }
    return (0..<UInt32(clamping: lineCount)).first { Self.text(description(of: $0).name) == line.name }
  }

  /// The program or driver that holds a line; nil where it gave no name.
  func holder(of offset: UInt32) -> String? {
    let name = Self.text(description(of: offset).consumer)
    return name.isEmpty ? nil : name
  }

  /// Requests a line for this process, as an input.
  ///
  /// - Throws: with EBUSY where it is held.
  func request(_ line: InputLine, _ offset: UInt32) throws(DeviceFailure) -> GPIOLine {
    let pull =
      switch line.pull {
      case .up: VIT_GPIO_PULL_UP
      case .down: VIT_GPIO_PULL_DOWN
      case .none: VIT_GPIO_PULL_NONE
      }
    let microseconds = UInt32(line.debounce.inSeconds * 1_000_000)
    let result = vit_gpio_request(descriptor, offset, Int32(pull), line.isActiveLow, microseconds)
    return GPIOLine(descriptor: try DeviceFailure.check("GPIO_V2_GET_LINE", result))
  }

  /// Requests a line for this process, as an output that is inactive.
  ///
  /// - Throws: with EBUSY where it is held.
  func requestOutput(_ line: InputLine, _ offset: UInt32) throws(DeviceFailure) -> GPIOOutput {
    let result = vit_gpio_request_output(descriptor, offset, line.isActiveLow)
    return GPIOOutput(descriptor: try DeviceFailure.check("GPIO_V2_GET_LINE", result))
  }

  private func description(of offset: UInt32) -> vit_gpio_line {
    var read = vit_gpio_line()
    _ = vit_gpio_describe_line(descriptor, offset, &read)
    return read
  }

  /// The text of an array of C characters that 0 ends.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      PlainText.shown(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
  }
}

/// A GPIO line that this process holds, as an input.
final class GPIOLine {
  struct Change: Hashable {
    var isActive: Bool
    var time: Instant
  }

  let descriptor: Int32
  private var lastSequence: UInt32 = 0
  private var isActive: Bool

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isActive = vit_gpio_level(descriptor) == 1
  }

  deinit { Glibc.close(descriptor) }

  /// The changes since the last call, in their order. Where the kernel had no room for all of them, the last one is the
  /// line's level now.
  ///
  /// - Throws: with ENODEV where the chip was unplugged.
  func changes(now: Instant) throws(DeviceFailure) -> [Change] {
    var changes: [Change] = []
    var hasGap = false
    var read = vit_gpio_change()
    while true {
      guard try DeviceFailure.check("read", vit_gpio_next_change(descriptor, &read)) == 1 else { break }
      hasGap = hasGap || read.sequence != lastSequence &+ 1
      lastSequence = read.sequence
      changes.append(Change(isActive: read.is_active, time: Instant(nanoseconds: Int64(clamping: read.nanoseconds))))
    }
    if let last = changes.last { isActive = last.isActive }
    if hasGap, vit_gpio_level(descriptor) != (isActive ? 1 : 0) {
      isActive.toggle()
      changes.append(Change(isActive: isActive, time: now))
    }
    return changes
  }
}

/// A GPIO line that this process holds, as an output.
final class GPIOOutput {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// - Throws: with ENODEV where the chip was unplugged.
  func set(isActive: Bool) throws(DeviceFailure) {
    try DeviceFailure.check("GPIO_V2_LINE_SET_VALUES", vit_gpio_set(descriptor, isActive))
  }
}
