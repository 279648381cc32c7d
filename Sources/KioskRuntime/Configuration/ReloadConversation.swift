internal import Glibc
internal import JSONText
internal import KioskCore
internal import MediaPipeline
internal import PlaybackCore

/// `vitrine reload` by the player's control socket. Blocks.
struct ReloadConversation {
  /// The interval between questions to the player. A trial takes seconds.
  private static let interval: Duration = .milliseconds(100)
  /// The time limit for an answer: a slower loop hangs.
  private static let answer: Duration = .seconds(10)

  private let socket: String
  private let client: ControlClient
  private let deadline: Instant
  /// How often the player had read its files before; nil for a player that reads none, because it shows only the crash
  /// card.
  private let readings: Int64?

  /// Nil where no player answers at the socket, or this user may not connect.
  init?(socket: String, wait: Duration) {
    guard let client = try? ControlClient(path: socket, wait: Self.answer), let status = try? client.ask("status")
    else { return nil }
    self.socket = socket
    self.client = client
    deadline = .monotonicNow + wait
    readings = status["configuration"]?["readings"]?.wholeNumber
  }

  /// - Throws: 7609 where there is nothing to reload, 7305 where the player ends meanwhile.
  func outcome() throws(VitrineError) -> ReloadRequest.Outcome {
    do throws(ControlFailure) {
      _ = try client.ask("reload")
    } catch {
      throw error.error
    }
    guard let readings else { return try ofNext() }
    while true {
      do throws(ControlFailure) {
        let status = try client.ask("status")
        let isAnswer = (status["configuration"]?["readings"]?.wholeNumber ?? 0) > readings
        if isAnswer, let outcome = Self.outcome(status) { return outcome }
        guard goesOn() else { return .notInTime(isAnswer ? Self.state(status) : "no answer") }
      } catch {
        throw VitrineError(
          7305, subject: socket, message: "the player that was asked has ended: \(error.error.message)",
          remedy: "look why: journalctl -u vitrine")
      }
    }
  }

  /// Waits for the next process, which reads the files at its start.
  private func ofNext() throws(VitrineError) -> ReloadRequest.Outcome {
    var state = "the next player hasn't answered"
    while goesOn() {
      guard let next = try? ControlClient(path: socket, wait: Self.answer), let status = try? next.ask("status"),
        status["configuration"]?["readings"] != nil
      else { continue }
      if let outcome = Self.outcome(status) { return outcome }
      state = Self.state(status)
    }
    return .notInTime(state)
  }

  /// Waits a little; false when the time is over.
  private func goesOn() -> Bool {
    guard .monotonicNow < deadline else { return false }
    usleep(UInt32(Self.interval.inSeconds * 1_000_000))
    return true
  }

  private static func state(_ status: JSONValue) -> String { status["configuration"]?["state"]?.text ?? "no answer" }

  private static func outcome(_ status: JSONValue) -> ReloadRequest.Outcome? {
    let presences = (status["screens"]?.elements ?? []).compactMap { $0["presence"]?.text }
    // The best presence of any screen: on, else asleep, else none.
    let screen = presences.contains("on") ? "on" : presences.contains("asleep") ? "asleep" : "none"
    return ReloadRequest.Outcome(state(status), reason: status["configuration"]?["reason"]?.text, screen: screen)
  }
}
