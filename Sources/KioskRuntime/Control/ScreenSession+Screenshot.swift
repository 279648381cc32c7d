internal import ControlProtocol
internal import Displays
internal import FoundationEssentials
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// A picture of the screen, for a program that asks.

extension ScreenSession {
  /// Composed of the frame that is shown and of what is above it, as `--snapshot` does: drivers that can write back what they show are few.
  func takeScreenshot(width: Int?, for request: LoopReference<ScreenshotRequest>) {
    guard !hasEnded, let display = output.display, !output.machine.isOff else {
      request.value?.finish(.failure(ControlErrors.noPicture("the screen is off, or there is none")))
      return
    }
    let (target, above) = (display.target, overlay.onScreen)
    let mailbox = Mailbox<ScreenshotRequest.Answer>(executor: loop.executor) { request.value?.finish($0) }
    request.value?.mailbox = mailbox
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.failure(problem)) }
      let frame = captured.frame?.turned(target.rotation.inverse)
      // A card stands on the screen without a frame below it.
      guard frame != nil || above != nil else {
        return mailbox.post(.failure(ControlErrors.noPicture("nothing has been shown yet")))
      }
      let overlay = target.drawsOverlay && frame != nil ? nil : above
      mailbox.post(Self.picture(frame, overlay: overlay, screen: target.size, width: width))
    }
  }

  /// Not on the loop: it takes tens of milliseconds.
  private static func picture(
    _ frame: CapturedFrame?, overlay: OverlayImage?, screen: PixelSize, width: Int?
  ) -> ScreenshotRequest.Answer {
    do throws(VitrineError) {
      let picture = try SnapshotFile.picture(frame, overlay: overlay, screen: screen, width: width)
      let bytes = try PNGWriter.bytes(picture)
      guard bytes.count <= ControlLimits.pictureBytes else { return .failure(ControlErrors.pictureTooLarge) }
      return .success(
        ControlPicture(
          width: picture.size.width, height: picture.size.height, base64: [UInt8](Data(bytes).base64EncodedData())))
    } catch {
      return .failure(error)
    }
  }
}

/// One that is being made. Confined to the loop's thread.
final class ScreenshotRequest {
  typealias Answer = Result<ControlPicture, VitrineError>

  private var done: ((Answer) -> Void)?
  /// By which it is answered from another thread.
  var mailbox: Mailbox<Answer>?

  init(_ done: @escaping (Answer) -> Void) { self.done = done }

  /// The first answer counts.
  func finish(_ answer: Answer) {
    let done = done
    self.done = nil
    mailbox?.close()
    done?(answer)
  }
}
