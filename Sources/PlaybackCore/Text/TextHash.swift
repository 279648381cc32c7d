/// A short number computed from a text, the same in each run and on each board. It distinguishes texts, unless they
/// were forged to collide.
package enum TextHash {
  /// FNV-1a with 64 bits.
  package static func of(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
