public import PlaybackCore

/// What is said between a player and the process that decodes pictures for it: 16 bytes each, little endian, and what follows
/// them. Neither side believes the other: whatever the bytes are, they are a message or nil.
///
/// A conversation: `open` with a file; `wantsSize` and `size`, as often as the decoder finds one; `opened`. For each `frame`, again sizes,
/// then `pixels`, the memory for them, `done`. At any place `failed` in place of an answer. `close` makes room for the next picture.
public enum PictureQuestion: Hashable, Sendable {
  /// `count` bytes of the file follow.
  case open(background: UInt32, count: Int)
  case frame(Int)
  /// The answer to `wantsSize`: how large it is decoded; nil refuses it.
  case size(PixelSize?)
  /// The answer to `pixels`: the descriptor of memory for them follows, with one byte.
  case memory
  case close

  /// Bytes of a message without what follows it.
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

/// What comes back; see `PictureQuestion`.
public enum PictureAnswer: Hashable, Sendable {
  /// The decoder has found that the picture is stored at that size.
  case wantsSize(PixelSize)
  case opened
  /// A frame is there, of that size; of four bytes a pixel, or three. `stride` says where its rows lie.
  case pixels(PixelSize, isFourBytes: Bool)
  /// It lies in the memory.
  case done
  /// `count` bytes of text follow.
  case failed(Failure, count: Int)

  /// Why, as `PictureProblem` has it; of which format is known to who asked.
  public enum Failure: Hashable, Sendable {
    case notAPicture
    case tooManyPixels(PixelSize)
    case noDecoder
    case damaged
  }

  /// Bytes from one row to the next, as video formats have them.
  public static func stride(_ size: PixelSize, isFourBytes: Bool) -> Int {
    (size.width * (isFourBytes ? 4 : 3) + 3) / 4 * 4
  }

  /// Bytes of a text at most: what a decoder says of a file is a line.
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
      // What a picture may have, and no more: the memory for it is ours.
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

/// Kind, a number of 16 bits, two of 32.
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
    let detail = UInt16(clamping: detail)
    let head: [UInt8] = [kind, 0, UInt8(detail & 0xFF), UInt8(detail >> 8)]
    let numbers = [first, second].flatMap { number in (0..<4).map { UInt8(number >> (8 * UInt32($0)) & 0xFF) } }
    return head + numbers + [0, 0, 0, 0]
  }
}
