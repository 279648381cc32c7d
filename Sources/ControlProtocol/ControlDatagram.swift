internal import InteractionCore
internal import JSONText
internal import PlaybackCore

/// A UDP datagram with requests: one or a few lines as the control socket takes them, or a packet of Open Sound Control
/// (OSC). Each datagram stands alone: events and pictures, which come later, need a connection.
public struct ControlDatagram: Hashable, Sendable {
  /// The requests and the errors of the datagram, in their order.
  public var requests: [Result<ControlRequest, ControlRequest.Refusal>]
  /// Whether the sender expects answers: senders of OSC don't.
  public var wantsAnswers: Bool

  /// The most bytes that are read of a datagram: more than a packet of the local network holds.
  public static let bytes = 2048
  /// The most requests of a datagram that are carried out. Scenes of a lighting desk have about ten cues.
  public static let most = 16

  public init(_ bytes: [UInt8]) {
    // Neither begins a line of words or of JSON.
    if bytes.first == UInt8(ascii: "/") || bytes.starts(with: OSCMessage.bundleStart) {
      wantsAnswers = false
      do throws(VitrineError) {
        requests = try OSCMessage.messages(in: bytes, atMost: Self.most).compactMap { message in
          do throws(ControlRequest.Refusal) {
            guard let request = try message.request else { return nil }
            return .success(try Self.complete(request))
          } catch {
            return .failure(error)
          }
        }
      } catch {
        requests = [.failure(.init(id: .null, form: .words, error: error))]
      }
      return
    }
    wantsAnswers = true
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.prefix(Self.most)
    requests = lines.map { line in
      do throws(ControlRequest.Refusal) {
        return .success(try Self.complete(try ControlRequest(anyForm: line)))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Refuses requests that are answered later.
  static func complete(_ request: ControlRequest) throws(ControlRequest.Refusal) -> ControlRequest {
    switch request.action {
    case .hello, .status, .command: return request
    case .screenshot, .subscribe:
      throw .init(id: request.id, form: request.form, error: ControlErrors.needsConnection(request.verb))
    }
  }

  /// The answer to one of the requests, with the end of its line.
  public static func answer(_ reply: ControlReply, to request: ControlRequest) -> [UInt8] {
    reply.line(to: request) + request.form.lineEnd
  }

  public static func answer(_ refusal: ControlRequest.Refusal) -> [UInt8] {
    ControlReply.failed(refusal.error).line(id: refusal.id, form: refusal.form) + refusal.form.lineEnd
  }
}
