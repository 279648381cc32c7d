extension ConfigurationSource {
  /// The same for the same texts under the same names (FNV-1a, 64 bits: it tells texts apart that people and scripts wrote,
  /// and isn't meant against those who forge one).
  public static func fingerprint(of sources: [ConfigurationSource]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      // Lengths would do as well: names and texts can't run into each other.
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      add(source.path.utf8)
      add(text)
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
