extension ConfigurationSource {
  /// A hash of the texts and their names (FNV-1a, 64 bits). It tells apart texts that people and scripts wrote; it
  /// doesn't resist forgery.
  public static func fingerprint(of sources: [ConfigurationSource]) -> String {
    var fingerprint = TextFingerprint()
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      fingerprint.add(source.path.utf8)
      fingerprint.end()
      fingerprint.add(text)
      fingerprint.end()
    }
    return fingerprint.digits
  }
}

/// An incremental hash of several texts.
public struct TextFingerprint: Sendable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  public init() {}

  public mutating func add(_ bytes: some Sequence<UInt8>) {
    let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable { bytes in
      var sum = hash
      for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = sum
    }
    if wasContiguous == nil { for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
  }

  /// Ends a text, so that the end of one text can't be taken for the beginning of the next.
  public mutating func end() { hash = (hash ^ 0xFF) &* 0x100_0000_01B3 }

  /// The hash in 16 hexadecimal digits.
  public var digits: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
