internal import ControlProtocol
internal import Displays
internal import FoundationEssentials
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PictureDecoder
internal import PlaybackCore
internal import VitrinePlayback

// Takes a screenshot for a program that asks.

extension ScreenSession {
  /// Takes the picture from the graphics card's writeback, if the card can do that without a visible effect; else
  /// composes it of the shown frame and the overlay, as `--snapshot` does. If the client asks for writeback alone, the
  /// screen may go dark for a moment (docs/decisions/0138).
  func takeScreenshot(_ wish: ControlPictureWish, for request: LoopReference<ScreenshotRequest>) {
    guard !hasEnded, let display = output.display, !output.machine.isOff else {
      request.value?.finish(.failure(ControlErrors.noPicture("there is no screen, or it is off")))
      return
    }
    guard wish.source != .composed, let writeback = display.writeback else {
      guard wish.source != .writeback else {
        request.value?.finish(.failure(.noWriteback(display.summary, "only a card of this process has that")))
        return
      }
      return compose(wish, display, for: request)
    }
    let size = display.target.size
    let session = LoopReference(self, of: loop.executor)
    let answers = Mailbox<ScreenshotRequest.Answer>(executor: loop.executor) { answer in
      if case .failure = answer, wish.source == nil, let session = session.value, let display = session.output.display {
        session.compose(wish, display, for: request)
      } else {
        request.value?.finish(answer)
      }
    }
    request.value?.mailbox = answers
    request.value?.worker.submit {
      switch writeback(wish.source == .writeback) {
      case .success(let pixels): answers.post(Self.written(pixels, screen: size, wish))
      case .failure(let error): answers.post(.failure(error))
      }
    }
  }

  private func compose(
    _ wish: ControlPictureWish, _ display: any Display, for request: LoopReference<ScreenshotRequest>
  ) {
    let (target, above) = (display.target, overlay.onScreen)
    let mailbox = Mailbox<ScreenshotRequest.Answer>(executor: loop.executor) { request.value?.finish($0) }
    request.value?.mailbox = mailbox
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.failure(problem)) }
      let frame = captured.frame?.turned(target.rotation.inverse)
      // A card is shown without a frame below it.
      guard frame != nil || above != nil else {
        return mailbox.post(.failure(ControlErrors.noPicture("nothing has been shown yet")))
      }
      let overlay = target.drawsOverlay && frame != nil ? nil : above
      mailbox.post(
        Self.answer(wish, by: .composed) { () throws(VitrineError) in
          try SnapshotFile.picture(frame, overlay: overlay, screen: target.size, width: wish.width)
        })
    }
  }

  private static func written(_ pixels: [UInt32], screen: PixelSize, _ wish: ControlPictureWish)
    -> ScreenshotRequest.Answer
  {
    answer(wish, by: .writeback) { () throws(VitrineError) in
      // The screen ignores the fourth byte of a pixel; in a picture it is the opacity.
      guard let picture = Picture(size: screen, pixels: pixels.map { $0 | 0xFF00_0000 }) else {
        throw ControlErrors.noPicture("what the card wrote is no picture of this screen")
      }
      return try SnapshotFile.scaled(picture, width: wish.width)
    }
  }

  /// Scales and encodes a picture. Not on the loop: it takes tens of milliseconds.
  private static func answer(
    _ wish: ControlPictureWish, by source: ControlPictureWish.Source, _ make: () throws(VitrineError) -> Picture
  ) -> ScreenshotRequest.Answer {
    do throws(VitrineError) {
      let picture = try make()
      let bytes = try encoded(picture, as: wish.format)
      guard bytes.count <= ControlLimits.pictureBytes else { return .failure(ControlErrors.pictureTooLarge) }
      var answer = ControlPicture(
        width: picture.size.width, height: picture.size.height, base64: [UInt8](Data(bytes).base64EncodedData()))
      (answer.format, answer.source) = (wish.format, source)
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  private static func encoded(_ picture: Picture, as format: ControlPictureWish.Format) throws(VitrineError) -> [UInt8]
  {
    switch format {
    case .png: return try PNGWriter.bytes(picture)
    case .jpeg:
      guard let bytes = JPEGWriter.bytes(picture.pixels, size: picture.size) else {
        throw ControlErrors.noPicture("there is no memory for it")
      }
      return bytes
    }
  }
}

/// A screenshot that is being made. Confined to the loop's thread.
final class ScreenshotRequest {
  typealias Answer = Result<ControlPicture, VitrineError>

  private var done: ((Answer) -> Void)?
  /// Brings the answer from another thread to the loop.
  var mailbox: Mailbox<Answer>?
  /// Reads the writeback, which blocks.
  let worker = BlockingWorker()

  init(_ done: @escaping (Answer) -> Void) { self.done = done }

  /// Answers the request; only the first answer counts.
  func finish(_ answer: Answer) {
    let done = done
    self.done = nil
    mailbox?.close()
    done?(answer)
  }
}
