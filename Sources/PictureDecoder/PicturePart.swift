internal import CPictures
internal import Glibc
internal import MainLoop
internal import PictureFiles
public import PlaybackCore

/// The decoding process's side of the messages. Decodes the pictures that come on its standard input, one after the
/// other.
public enum PicturePart {
  private enum End: Error {
    /// The player has gone, or has sent an invalid message.
    case over
  }

  /// Answers questions until the player has gone.
  ///
  /// - Parameters:
  ///   - format: of the first picture, where it is known: its decoder is loaded before the file has come.
  ///   - begins: called before each piece of work.
  ///   - hasFailed: called before a failure is sent: a limit may be the cause.
  ///   - hasClosed: called when a picture is closed: its memory can be given back.
  public static func serve(
    expecting format: PictureFormat? = nil, begins: () -> Void, hasFailed: () -> Void, hasClosed: () -> Void
  ) {
    PictureLoader.warmUp(format)
    while let question = nextQuestion() {
      guard case .open(let background, let count) = question,
        (try? serve(background, count, begins, hasFailed)) != nil
      else { return }
      hasClosed()
    }
  }

  /// Decodes one picture, until it is closed.
  private static func serve(
    _ background: UInt32, _ count: Int, _ begins: () -> Void, _ hasFailed: () -> Void
  ) throws(End) {
    begins()
    guard count <= PictureLimits.bytes, let bytes = receiveFile(count) else { throw .over }
    var frames = try answered(hasFailed) { () throws(PictureProblem) in
      let header = try PictureHeader.read(bytes)
      return try PictureFrames(bytes, header, background: background, PictureRequest(size: askSize))
    }
    if frames != nil { try send(PictureAnswer.opened.bytes) }
    while let question = nextQuestion() {
      switch question {
      case .frame(let index):
        guard let open = frames else { throw .over }
        begins()
        guard let bitmap = try answered(hasFailed, { () throws(PictureProblem) in try open.frame(index) }) else {
          frames = nil
          continue
        }
        try give(bitmap)
      case .close: return
      case .open, .size, .memory: throw .over
      }
    }
    throw .over
  }

  /// - Returns: nil after a failure, which has been sent.
  private static func answered<Value>(
    _ hasFailed: () -> Void, _ body: () throws(PictureProblem) -> Value
  ) throws(End) -> Value? {
    let failure: (PictureAnswer.Failure, String)
    do throws(PictureProblem) { return try body() } catch {
      failure =
        switch error {
        case .notAPicture: (.notAPicture, "")
        case .tooManyPixels(let size): (.tooManyPixels(size), "")
        case .noDecoder(_, let detail): (.noDecoder, detail)
        case .damaged(_, let detail): (.damaged, detail)
        case .tooManyBytes, .takesTooLong, .endedDecoder, .noProcess, .cancelled: (.damaged, "")
        }
    }
    hasFailed()
    let text = Array(failure.1.utf8.prefix(PictureAnswer.longestText))
    try send(PictureAnswer.failed(failure.0, count: text.count).bytes + text)
    return nil
  }

  /// Asks the player for the size to decode at. Without an answer the player has gone, and the process ends.
  private static func askSize(_ size: PixelSize) -> PixelSize? {
    guard (try? send(PictureAnswer.wantsSize(size).bytes)) != nil, case .size(let wanted) = nextQuestion() else {
      _exit(1)
    }
    return wanted
  }

  private static func give(_ bitmap: Bitmap) throws(End) {
    try send(PictureAnswer.pixels(bitmap.size, isFourBytes: bitmap.isFourBytes).bytes)
    guard case .memory = nextQuestion() else { throw .over }
    let descriptor = vit_pixels_receive(STDIN_FILENO)
    guard descriptor >= 0 else { throw .over }
    defer { close(descriptor) }
    let stride = PictureAnswer.stride(bitmap.size, isFourBytes: bitmap.isFourBytes)
    let count = stride * bitmap.size.height
    guard let memory = vit_pixels_map(descriptor, count) else { throw .over }
    // Unmapped only after `done` was sent, because the player waits for that.
    defer { vit_pixels_unmap(memory, count) }
    let row = bitmap.size.width * (bitmap.isFourBytes ? 4 : 3)
    bitmap.withPixels { pixels in
      guard let start = pixels.baseAddress else { return }
      if stride == bitmap.stride {
        memory.copyMemory(from: start, byteCount: min(pixels.count, count))
      } else {
        for index in 0..<bitmap.size.height {
          (memory + index * stride).copyMemory(from: start + index * bitmap.stride, byteCount: row)
        }
      }
    }
    try send(PictureAnswer.done.bytes)
  }

  // MARK: Bytes

  private static func nextQuestion() -> PictureQuestion? {
    receive(PictureQuestion.length).flatMap { PictureQuestion($0) }
  }

  private static func receiveFile(_ count: Int) -> [UInt8]? {
    let descriptor = vit_pixels_receive(STDIN_FILENO)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return receive(count, from: descriptor)
  }

  private static func receive(_ count: Int, from descriptor: Int32 = STDIN_FILENO) -> [UInt8]? {
    var received = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
      while received < count, let start = bytes.baseAddress {
        let more = read(descriptor, start + received, count - received)
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { break }
        received += more
      }
      initialized = received
    }
    return received == count ? bytes : nil
  }

  private static func send(_ bytes: [UInt8]) throws(End) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .over }
      rest = rest.dropFirst(count)
    }
  }
}
