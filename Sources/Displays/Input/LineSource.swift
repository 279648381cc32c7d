import Glibc
public import InteractionCore
public import MainLoop
public import PlaybackCore

/// The buttons on a board's GPIO lines: each line is a device with one key.
///
/// A missing line (its chip is unplugged, or another program holds it) is requested again from time to time, so that an
/// expander on USB works again when it is plugged in. Confined to the loop's thread.
public final class LineSource: InputSource {
  public var onInput: (([(event: InputEvent, time: Instant)]) -> Void)? {
    didSet { deliver() }
  }
  /// The time between two requests for missing lines: a person who plugs in an expander waits a moment, and a board that
  /// never gets it spends a few system calls.
  static let retry = Duration.seconds(5)
  /// Devices of lines have numbers from here on; libinput's begin with 1.
  private static let firstNumber: UInt32 = 1_000_000

  private struct Taken {
    var device: InputDevice
    var line: GPIOLine
    var source: EventSource
  }

  public let lines: [InputLine]
  private let loop: EventLoop
  private let report: (VitrineError) -> Void
  private var taken: [InputLine: Taken] = [:]
  private var reasons: [InputLine: VitrineError] = [:]
  private var events: [(event: InputEvent, time: Instant)] = []
  private var lastNumber = LineSource.firstNumber
  private var timer: EventSource?

  /// - Parameter report: gets the reason why a line is missing, once, and again when the reason changes.
  public init(on loop: EventLoop, lines: [InputLine], report: @escaping (VitrineError) -> Void) {
    self.loop = loop
    self.lines = lines
    self.report = report
    requestLines()
  }

  deinit { close() }

  /// Gives all lines back. Harmless when called twice.
  public func close() {
    onInput = nil
    timer?.cancel()
    timer = nil
    for entry in taken.values { entry.source.cancel() }
    taken = [:]
    events = []
  }

  // MARK: Lines

  private func requestLines() {
    for line in lines where taken[line] == nil {
      do throws(VitrineError) {
        let (held, path) = try LineSearch.request(line)
        add(line, held, of: path)
        reasons[line] = nil
      } catch {
        if reasons[line] != error { report(error) }
        reasons[line] = error
      }
    }
    if taken.count < lines.count {
      timer = loop.after(Self.retry) { [weak self] in
        self?.requestLines()
        self?.deliver()
      }
    }
  }

  private func add(_ line: InputLine, _ held: GPIOLine, of path: String) {
    lastNumber += 1
    let device = InputDevice(
      id: InputDeviceID(lastNumber), name: PlainText.shown(line.title), path: path, abilities: [.keys])
    let source = loop.watch(fileDescriptor: held.descriptor, for: .readable) { [weak self] _ in self?.read(line) }
    taken[line] = Taken(device: device, line: held, source: source)
    events.append((.deviceAdded(device), .loopNow))
  }

  private func read(_ line: InputLine) {
    guard let entry = taken[line] else { return }
    do throws(DeviceFailure) {
      for change in try entry.line.changes(now: .loopNow) {
        let key = KeyChange(device: entry.device.id, key: line.key, change.isActive ? .down : .up)
        events.append((.key(key), change.time))
      }
    } catch {
      // The chip was unplugged.
      entry.source.cancel()
      taken[line] = nil
      events.append((.deviceRemoved(entry.device.id), .loopNow))
      requestLines()
    }
    deliver()
  }

  /// Delivers the events. The callback may close this source.
  private func deliver() {
    guard let onInput, !events.isEmpty else { return }
    let batch = events
    events = []
    onInput(batch)
  }
}

/// Finds a line on the board's chips, and requests it.
enum LineSearch {
  /// - Returns: the line, and the path of its chip.
  /// - Throws: 6011 where no chip has it, 6012 where another program holds it, 6013 where this user may open no
  ///   chip that could have it, 6014 where the kernel refuses it.
  static func request(_ line: InputLine) throws(VitrineError) -> (line: GPIOLine, path: String) {
    try find(line) { (chip, offset) throws(DeviceFailure) in try chip.request(line, offset) }
  }

  /// - Parameter take: requests the line of a chip.
  static func find<Held>(
    _ line: InputLine, _ take: (borrowing GPIOChip, UInt32) throws(DeviceFailure) -> Held
  ) throws(VitrineError) -> (line: Held, path: String) {
    var seen: [String] = []
    var forbidden: String?
    for path in GPIOChip.paths() {
      let chip: GPIOChip
      do throws(DeviceFailure) {
        chip = try GPIOChip(path: path)
      } catch {
        if error.code == EACCES || error.code == EPERM { forbidden = path }
        continue
      }
      seen.append("\(chip.name) '\(chip.label)' has \(chip.lineCount) lines")
      if let wanted = line.chip, !chip.isNamed(wanted) { continue }
      guard let offset = chip.offset(of: line) else { continue }
      do throws(DeviceFailure) {
        return (try take(chip, offset), path)
      } catch {
        guard error.code == EBUSY else { throw LineErrors.cannotUse(line.title, path, error) }
        throw LineErrors.isHeld(line.title, by: chip.holder(of: offset))
      }
    }
    if let forbidden { throw LineErrors.forbidden(line.title, forbidden) }
    throw LineErrors.notFound(line, chips: seen)
  }
}

/// The errors of GPIO lines: 6011 to 6014.
enum LineErrors {
  static func notFound(_ line: InputLine, chips: [String]) -> VitrineError {
    VitrineError(
      6011, subject: line.title, message: "no GPIO chip of this board has this line",
      remedy: "`gpioinfo` (package gpiod) lists the lines; the player looks for it again every few seconds",
      detail: chips.isEmpty ? "there is no /dev/gpiochip0" : chips.joined(separator: ", "))
  }

  static func isHeld(_ title: String, by holder: String?) -> VitrineError {
    VitrineError(
      6012, subject: title, message: "the GPIO line is held by \(holder.map { "\"\($0)\"" } ?? "another program")",
      remedy: "end that program, or remove the overlay of the device tree that uses the line")
  }

  static func forbidden(_ title: String, _ path: String) -> VitrineError {
    VitrineError(
      6013, subject: title, message: "this user may not open \(path), on which the GPIO line may be",
      remedy: "add the user to the group that owns it (usually gpio) and start the player again")
  }

  static func cannotUse(_ title: String, _ path: String, _ failure: DeviceFailure) -> VitrineError {
    VitrineError(
      6014, subject: title, message: "the kernel refuses the GPIO line",
      remedy: "check with `gpioinfo` what else uses it, and that the chip can do what pull asks for",
      detail: "\(path): \(failure.reason)")
  }
}
