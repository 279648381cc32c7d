/// Reads numbers from untrusted bytes: outside of their bounds, all reads return nil.
struct Bytes {
  private let all: [UInt8]
  let bounds: Range<Int>

  init(_ all: [UInt8]) { self.init(all, bounds: all.indices) }

  private init(_ all: [UInt8], bounds: Range<Int>) {
    self.all = all
    self.bounds = bounds
  }

  var count: Int { bounds.count }

  /// A part of the bytes; shorter where they end early.
  func part(at offset: Int, count: Int) -> Bytes {
    let start = min(max(0, offset), self.count)
    let length = min(max(0, count), self.count - start)
    return Bytes(all, bounds: bounds.lowerBound + start..<bounds.lowerBound + start + length)
  }

  func part(from offset: Int) -> Bytes { part(at: offset, count: count) }

  func byte(at offset: Int) -> UInt8? {
    offset >= 0 && offset < count ? all[bounds.lowerBound + offset] : nil
  }

  func bigEndian(_ length: Int, at offset: Int) -> UInt32? { number(length, at: offset, isLittle: false) }
  func littleEndian(_ length: Int, at offset: Int) -> UInt32? { number(length, at: offset, isLittle: true) }

  /// - Parameter length: 1 to 4.
  func number(_ length: Int, at offset: Int, isLittle: Bool) -> UInt32? {
    guard offset >= 0, offset <= count - length else { return nil }
    var value: UInt32 = 0
    for index in 0..<length {
      let place = isLittle ? length - 1 - index : index
      value = value << 8 | UInt32(all[bounds.lowerBound + offset + place])
    }
    return value
  }

  func starts(with text: String, at offset: Int = 0) -> Bool {
    part(from: offset).array.starts(with: text.utf8)
  }

  /// Reads a four-letter code.
  func code(at offset: Int) -> String? {
    let letters = part(at: offset, count: 4)
    return letters.count == 4 ? String(decoding: letters.array, as: UTF8.self) : nil
  }

  var array: ArraySlice<UInt8> { all[bounds] }
}
