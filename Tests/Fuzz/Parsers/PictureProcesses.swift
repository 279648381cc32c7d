import Glibc
import PictureDecoder
import PictureFiles
import PlaybackCore

/// This program, started again as the process that decodes pictures. Bytes may end that process, but the asking one
/// must get a picture or a reason.
enum PictureProcesses {
  static let argument = "picture-part"

  /// Half a second of processor time: slow bytes aren't a fault here.
  static let helpers = PictureHelpers(
    programs: ["/proc/self/exe"], arguments: [argument], firstFrame: .milliseconds(500))

  /// Decodes a bitmap of one pixel: if that fails, no other result means anything.
  static let isServing: Bool = {
    var file: [UInt8] =
      Array("BM".utf8) + [58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 24, 0]
    file += [UInt8](repeating: 0, count: 24) + [1, 2, 3, 0]
    guard let header = try? PictureHeader.read(file),
      let source = try? helpers.open(file, header, background: 0, PictureRequest(size: { $0 }))
    else { return false }
    return (try? source.frame(0, after: .zero))?.rgba() == [3, 2, 1, 255]
  }()

  static func serve() -> Never {
    PicturePart.serve(begins: {}, hasFailed: {}, hasClosed: {})
    _exit(0)
  }
}

/// At most 2000x2000, 16 MB of pixels, so that many are tried. A header may give sizes whose product overflows.
private func isSmall(_ size: PixelSize) -> Bool { size.width <= 2000 && size.height <= 2000 }

func decodePicture(_ bytes: [UInt8]) {
  readMessages(bytes)
  precondition(PictureProcesses.isServing, "no process decodes")
  let screen = PixelSize(width: 640, height: 360)
  let request = PictureRequest(size: { stored in
    guard !stored.isEmpty, isSmall(stored) else { return nil }
    return stored.width > 1000 ? screen : stored
  })
  do throws(PictureProblem) {
    let header = try PictureHeader.read(bytes)
    if let size = header.size, !isSmall(size) { return }
    let source = try PictureProcesses.helpers.open(bytes, header, background: 0x10_2030, request)
    for index in 0..<min(3, header.animation?.delays.count ?? 1) {
      let frame = try source.frame(index, after: .zero)
      precondition(
        !frame.size.isEmpty && frame.rgba().count == frame.size.width * frame.size.height * 4,
        "a picture without pixels")
    }
  } catch {
    // 7518: the sanitizer ends the decoder process with its own code.
    precondition([3001, 3101, 3103, 3104, 3105, 4201, 7518].contains(error.error("a").number), "\(error)")
  }
}

/// Parses the messages of a decoder process that a picture has taken over.
private func readMessages(_ bytes: [UInt8]) {
  let message = Array(bytes.prefix(PictureQuestion.length))
  if let question = PictureQuestion(message) {
    precondition(PictureQuestion(question.bytes) == question, "a question that isn't itself")
  }
  guard let answer = PictureAnswer(message) else { return }
  precondition(PictureAnswer(answer.bytes) == answer, "an answer that isn't itself")
  switch answer {
  case .pixels(let size, let isFourBytes):
    precondition(
      PictureLimits.allow(size) && PictureAnswer.stride(size, isFourBytes: isFourBytes) > 0, "too many pixels")
  case .failed(_, let count): precondition((0...PictureAnswer.longestText).contains(count), "a text without end")
  case .wantsSize, .opened, .done: break
  }
}
