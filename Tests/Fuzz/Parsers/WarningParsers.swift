import Downloads
import InteractionCore
import KioskCore
import PlaybackCore

/// A feed of warnings, as its server sends it: each piece before a NUL is the answer to the next question, of the index or
/// of a message. What is shown keeps to its bounds, whatever comes.
func readWarnings(_ bytes: [UInt8]) {
  let noon: Int64 = 1_795_788_000
  var wish = WarningWish()
  wish.areas = Set(["EMMA_ID=DE413", "UGC=CAC037"].compactMap { WarningArea($0) })
  wish.place = GeoPlace(latitude: 52.5, longitude: 13.4)
  wish.showsTests = true
  let settings = WarningSettings(feed: "https://a/", wish: wish, language: .english, interval: .seconds(60))
  var machine = WarningMachine(settings, current: [], seed: 1, at: Instant(nanoseconds: 0))
  var alerts = AlertMachine()
  var now = Instant(nanoseconds: 0)
  var answers = bytes.split(separator: 0, omittingEmptySubsequences: false)[...]
  let away = VitrineError(7670, subject: "a", message: "away", remedy: "wait")
  while !answers.isEmpty {
    guard let due = machine.deadline else { preconditionFailure("a poll that doesn't end") }
    now = max(now, due)
    let utc = noon + Int64((now - Instant(nanoseconds: 0)).inSeconds)
    var actions = machine.handle(.time, at: now, clock: .utc(utc))
    var questions = 0
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .readIndex, .readMessage:
        questions += 1
        precondition(questions <= 51, "more questions than a poll may have")
        let event: WarningMachine.Event =
          switch document(Array(answers.popFirst() ?? [])) {
          case .message(let message)? where questions > 1: .messageRead(message)
          case let document? where questions == 1: .indexRead(WarningIndex(document, for: settings, at: utc), .init())
          default: .failed(away, isFinal: questions % 2 == 0, wait: nil)
          }
        actions += machine.handle(event, at: now, clock: .utc(utc))
      case .show(let warnings, let endings):
        check(warnings)
        let moment = AlertMachine.Moment(
          .utc(utc), sinceBoot: BootTime(boot: "a", seconds: utc - noon), zone: .utc)
        _ = alerts.handle(.warned(warnings, endings), at: moment)
        for alert in alerts.shown { precondition(alert.until ?? 0 > utc && alert.from ?? 0 <= utc, "not in force") }
        let kept = KeptAlerts(alerts: alerts.warnings)
        precondition(KeptAlerts(bytes: Array(kept.text.utf8)) == kept, "a file that can't be read back")
      case .tell, .tellAnswers, .tellCut: break
      }
    }
  }
}

private func check(_ warnings: [Alert]) {
  precondition(warnings.count <= AlertMachine.mostWarnings, "too many")
  precondition(Set(warnings.map(\.id)).count == warnings.count, "two of one id")
  for alert in warnings {
    precondition(alert.id.hasPrefix("cap:") && alert.id.utf8.count < 260, "a command could name it")
    let scalars = alert.text.unicodeScalars
    precondition(!scalars.isEmpty && scalars.count <= CommandLimits.alertCharacters, "a text without end")
    precondition(!scalars.contains(where: PlainText.isActive), "a text that does something")
  }
}

private func document(_ bytes: [UInt8]) -> CAPDocument? {
  var reader = CAPReader()
  var isRefused = false
  do throws(MarkupReader.Fault) {
    try MarkupReader.read(bytes, depth: 32) { event in
      do throws(CAPReader.Fault) {
        try reader.handle(event)
        return true
      } catch {
        isRefused = true
        return false
      }
    }
  } catch { return nil }
  precondition(!isRefused, "refused and read")
  return try? reader.document()
}
