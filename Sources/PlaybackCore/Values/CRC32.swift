/// The CRC-32 of PNG and zip, which finds any change of up to 32 bits in a row.
///
/// It doesn't protect against forgery.
public enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ value >> 1 }
  }

  public static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.withContiguousStorageIfAvailable(checksum) ?? Array(bytes).withUnsafeBufferPointer(checksum)
  }

  private static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(.max) { value, byte in table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
  }
}
