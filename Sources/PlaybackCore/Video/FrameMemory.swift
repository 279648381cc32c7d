/// Layout of frames in memory that only hardware is meant to read, as in GStreamer's caps from 1.24 on ("drm-format"):
/// a code of four letters, and the layout, such as "NV12:0x0700000000000004" for the columns of a Raspberry Pi's
/// decoder.
public struct DRMFormat: Hashable, Sendable {
  public var code: String
  /// The kernel's number of the layout (modifier); 0 is row by row.
  public var modifier: UInt64

  public init(code: String, modifier: UInt64 = 0) {
    self.code = code
    self.modifier = modifier
  }

  /// - Parameter text: a code alone is row by row.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let code = parts.first, !code.isEmpty, code.utf8.count <= 4 else { return nil }
    self.code = String(code)
    guard parts.count == 2 else {
      modifier = 0
      return
    }
    guard parts[1].hasPrefix("0x"), let modifier = UInt64(parts[1].dropFirst(2), radix: 16) else { return nil }
    self.modifier = modifier
  }

  /// The form in caps: a code alone is row by row.
  public var text: String {
    guard modifier != 0 else { return code }
    let digits = String(modifier, radix: 16)
    return "\(code):0x\(String(repeating: "0", count: 16 - digits.count))\(digits)"
  }

  /// GStreamer's name for the same pixels in plain memory; nil for formats that the player doesn't know.
  public var rawFormat: String? {
    switch code {
    case "NV12", "NV21", "NV16", "YV12", "UYVY": code
    case "YU12": "I420"
    case "YUYV": "YUY2"
    case "P010": "P010_10LE"
    case "XR24": "BGRx"
    case "AR24": "BGRA"
    case "XB24": "RGBx"
    case "AB24": "RGBA"
    default: nil
    }
  }
}

/// The memory of frames, and its permitted uses.
public enum FrameMemory: Hashable, Sendable {
  /// Memory that the processor can read, row by row.
  case plain
  /// Memory for hardware. Nil where the caps name an unknown layout.
  case hardware(DRMFormat?)

  /// The ways in which frames are used.
  public enum Use: Hashable, Sendable, CaseIterable {
    /// A plane, or a compositor, shows frames unchanged.
    case screen
    /// One frame is copied: for a snapshot, or as the last frame that stays.
    case copy
    /// Frames are drawn into, rotated, or scaled by the processor.
    case change
  }

  public enum Handling: Hashable, Sendable {
    case asItIs
    /// Read as pixels in this format of GStreamer.
    case readAs(String)
    /// The layout is unknown, so the bytes can't be read as a picture.
    case refuse
  }

  public func handling(for use: Use) -> Handling {
    switch (self, use) {
    case (.plain, _), (_, .screen): .asItIs
    case (.hardware(let format), .copy):
      if let format, format.modifier == 0, let raw = format.rawFormat { .readAs(raw) } else { .refuse }
    // Where frames are to be changed, decoders are asked for plain memory from the start.
    case (.hardware, .change): .refuse
    }
  }

  public static func unreadable(_ format: DRMFormat?) -> VitrineError {
    let hexadecimal = String(format?.modifier ?? 0, radix: 16)
    return VitrineError(
      3050, subject: "snapshot",
      message: "the frame on the screen is in memory that only the screen can read",
      remedy: "have it in plain memory: memory = \"copy\" in the board's profile, or photograph the screen",
      detail: format.map { "\($0.code), layout 0x\(hexadecimal)" } ?? "")
  }
}
