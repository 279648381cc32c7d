public import InteractionCore
public import PlaybackCore

/// A GPIO line of the board that the player sets, inactive at first. It is held until the object goes; the level that it
/// has then is the chip's choice, and most chips keep the last one. Confined to the loop's thread.
public final class OutputLine {
  private let held: GPIOOutput
  private let title: String

  /// - Parameter line: its pull and its debounce have no effect.
  /// - Throws: 6011 if no chip has the line, 6012 if another program holds it, 6013 if this user may not open the chip,
  ///   6014 if the kernel refuses the line.
  public init(_ line: InputLine) throws(VitrineError) {
    title = line.title
    held = try LineSearch.find(line) { (chip, offset) throws(DeviceFailure) in
      try chip.requestOutput(line, offset)
    }.line
  }

  /// - Throws: 6014 where the chip was unplugged.
  public func set(isActive: Bool) throws(VitrineError) {
    do throws(DeviceFailure) {
      try held.set(isActive: isActive)
    } catch {
      throw LineErrors.cannotUse(title, title, error)
    }
  }
}
