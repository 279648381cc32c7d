public import PlaybackCore

/// The messages between a player and the process that decodes pictures for it: 16 bytes each, little endian, and the
/// data that follow some of them. Neither side trusts the other: any bytes are either a valid message or nil.
///
/// A conversation: `open` with a file; `wantsSize` and `size`, as often as the decoder finds a size; `opened`. For each
/// `frame`, again sizes, then `pixels`, the memory for them, `done`. Any answer may be `failed` instead. `close`
/// prepares for the next picture.
public enum PictureQuestion: Hashable, Sendable {
  /// The descriptor of a file of `count` bytes follows, with one byte: the picture, in memory.
  case open(background: UInt32, count: Int)
  case frame(Int)
  /// Answers `wantsSize`: the size to decode at; nil refuses the picture.
  case size(PixelSize?)
  /// Answers `pixels`: the descriptor of memory for them follows, with one byte.
  case memory
  case close

  /// The version of these messages and those of `PictureAnswer`, raised with each change. Programs with different
  /// versions don't talk to each other.
  public static let version = 2

  /// Bytes of a message without the data that follow.
  public static let length = 16

  public var bytes: [UInt8] {
    switch self {
    case .open(let background, let count): MessageBytes.make(1, background, UInt32(clamping: count))
    case .frame(let index): MessageBytes.make(2, UInt32(clamping: index))
    case .size(let size): MessageBytes.make(3, UInt32(clamping: size?.width ?? 0), UInt32(clamping: size?.height ?? 0))
    case .memory: MessageBytes.make(4)
    case .close: MessageBytes.make(5)
    }
  }

  public init?(_ bytes: [UInt8]) {
    guard let message = MessageBytes(bytes) else { return nil }
    switch message.kind {
    case 1: self = .open(background: message.first, count: Int(message.second))
    case 2: self = .frame(Int(message.first))
    case 3:
      let size = PixelSize(width: Int(message.first), height: Int(message.second))
      self = .size(size.isEmpty ? nil : size)
    case 4: self = .memory
    case 5: self = .close
    default: return nil
    }
  }
}

/// The answers of the decoding process; see `PictureQuestion`.
public enum PictureAnswer: Hashable, Sendable {
  /// The decoder has found the stored size of the picture.
  case wantsSize(PixelSize)
  case opened
  /// A frame of that size has been decoded, with four bytes a pixel, or three. `stride` gives the distance of its rows.
  case pixels(PixelSize, isFourBytes: Bool)
  /// The frame has been written to the memory.
  case done
  /// The picture or frame can't be decoded; `count` bytes of text follow.
  case failed(Failure, count: Int)

  /// The reason, as in `PictureProblem`, without the format, which the player knows.
  public enum Failure: Hashable, Sendable {
    case notAPicture
    case tooManyPixels(PixelSize)
    case noDecoder
    case damaged
  }

  /// Bytes from one row to the next, as in video formats.
  public static func stride(_ size: PixelSize, isFourBytes: Bool) -> Int {
    (size.width * (isFourBytes ? 4 : 3) + 3) / 4 * 4
  }

  /// The most bytes of a text: a decoder's message is one line.
  public static let longestText = 512

  public var bytes: [UInt8] {
    switch self {
    case .wantsSize(let size): MessageBytes.make(1, UInt32(clamping: size.width), UInt32(clamping: size.height))
    case .opened: MessageBytes.make(2)
    case .pixels(let size, let isFourBytes):
      MessageBytes.make(
        3, UInt32(clamping: size.width), UInt32(clamping: size.height), detail: isFourBytes ? 4 : 3)
    case .done: MessageBytes.make(4)
    case .failed(let failure, let count):
      switch failure {
      case .notAPicture: MessageBytes.make(5, detail: count)
      case .tooManyPixels(let size):
        MessageBytes.make(6, UInt32(clamping: size.width), UInt32(clamping: size.height), detail: count)
      case .noDecoder: MessageBytes.make(7, detail: count)
      case .damaged: MessageBytes.make(8, detail: count)
      }
    }
  }

  public init?(_ bytes: [UInt8]) {
    guard let message = MessageBytes(bytes) else { return nil }
    let size = PixelSize(width: Int(message.first), height: Int(message.second))
    let failure: Failure
    switch message.kind {
    case 1:
      self = .wantsSize(size)
      return
    case 2:
      self = .opened
      return
    case 3:
      // Nothing larger than a picture may be, because the player allocates the memory.
      guard !size.isEmpty, PictureLimits.allow(size), message.detail == 3 || message.detail == 4 else { return nil }
      self = .pixels(size, isFourBytes: message.detail == 4)
      return
    case 4:
      self = .done
      return
    case 5: failure = .notAPicture
    case 6: failure = .tooManyPixels(size)
    case 7: failure = .noDecoder
    case 8: failure = .damaged
    default: return nil
    }
    guard message.detail <= Self.longestText else { return nil }
    self = .failed(failure, count: message.detail)
  }
}

/// A message: its kind, a number of 16 bits, two of 32.
private struct MessageBytes {
  var kind: UInt8
  var detail: Int
  var first: UInt32
  var second: UInt32

  init?(_ bytes: [UInt8]) {
    guard bytes.count == PictureQuestion.length, bytes[1] == 0, bytes[12..<16].allSatisfy({ $0 == 0 }) else {
      return nil
    }
    func number(_ at: Int, _ count: Int) -> UInt32 {
      (0..<count).reduce(0) { $0 | UInt32(bytes[at + $1]) << (8 * UInt32($1)) }
    }
    kind = bytes[0]
    detail = Int(number(2, 2))
    first = number(4, 4)
    second = number(8, 4)
  }

  static func make(_ kind: UInt8, _ first: UInt32 = 0, _ second: UInt32 = 0, detail: Int = 0) -> [UInt8] {
    func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let numbers = bytes(UInt32(UInt16(clamping: detail)), 2) + bytes(first, 4) + bytes(second, 4)
    return [kind, 0] + numbers + [0, 0, 0, 0]
  }
}
