public import PlaybackCore

/// Writes messages of Open Sound Control 1.0, as `OSCMessage` reads them.
public enum OSCBytes {
  /// A packet with one message. Numbers are as short as receivers expect them: 32 bits for whole ones that fit, and for
  /// all others.
  ///
  /// - Parameter address: begins with a slash, in ASCII.
  public static func message(_ address: String, _ arguments: [CueArgument]) -> [UInt8] {
    var types = ","
    var values: [UInt8] = []
    for argument in arguments {
      switch argument {
      case .whole(let number):
        if let short = Int32(exactly: number) {
          types += "i"
          append(UInt32(bitPattern: short), to: &values)
        } else {
          types += "h"
          append(UInt64(bitPattern: number), to: &values)
        }
      case .number(let number):
        types += "f"
        append(Float(number).bitPattern, to: &values)
      case .text(let text):
        types += "s"
        values += padded(text)
      case .truth(let isTrue): types += isTrue ? "T" : "F"
      }
    }
    return padded(address) + padded(types) + values
  }

  /// A text with zeros up to a multiple of four bytes, at least one. A zero within it would be its end.
  private static func padded(_ text: String) -> [UInt8] {
    let bytes = text.utf8.filter { $0 != 0 }
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
