import InteractionCore
import JSONText
import PlaybackCore
import Testing

@testable import ControlProtocol

@Suite("Datagrams: lines and Open Sound Control")
struct ControlDatagramTests {
  /// A text with its zeros.
  private func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }

  private func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  private func bundle(_ elements: [[UInt8]]) -> [UInt8] {
    text("#bundle") + [UInt8](repeating: 0, count: 7) + [1] + elements.flatMap { number(UInt32($0.count)) + $0 }
  }

  private func commands(_ bytes: [UInt8]) -> [Command?] {
    ControlDatagram(bytes).requests.map { request in
      guard case .success(let request) = request, case .command(let command) = request.action else { return nil }
      return command
    }
  }

  private func errors(_ bytes: [UInt8]) -> [Int] {
    ControlDatagram(bytes).requests.compactMap {
      if case .failure(let refusal) = $0 { refusal.error.number } else { nil }
    }
  }

  @Test("A datagram has lines in both spellings, and each is answered in its own")
  func lines() throws {
    let datagram = ControlDatagram(Array("next\r\n{\"id\":7,\"verb\":\"pause\"}\ndance".utf8))
    #expect(datagram.wantsAnswers && datagram.requests.count == 3)
    let answers = datagram.requests.map { request in
      switch request {
      case .success(let request): String(decoding: ControlDatagram.answer(.done, to: request), as: UTF8.self)
      case .failure(let refusal): String(decoding: ControlDatagram.answer(refusal).prefix(10), as: UTF8.self)
      }
    }
    #expect(answers == ["ok\r\n", "{\"id\":7,\"ok\":true,\"result\":{}}\n", "error 7603"])
  }

  @Test("Requests whose answers come later are refused, and a datagram with too many lines is cut")
  func refused() {
    #expect(errors(Array("subscribe\n{\"verb\":\"screenshot\"}".utf8)) == [7604, 7604])
    #expect(commands(Array(String(repeating: "next\n", count: 100).utf8)).count == ControlDatagram.most)
    #expect(ControlDatagram([]).requests.isEmpty)
  }

  @Test("OSC: an address with the verb, types, arguments; buttons, switches and faders of panels")
  func osc() {
    #expect(commands(text("/vitrine/next") + text(",")) == [.next])
    #expect(commands(text("/vitrine/next")) == [.next])
    #expect(commands(text("/vitrine/clip") + text(",si") + text("hall") + number(2)) == [nil])
    #expect(commands(text("/vitrine/clip") + text(",s") + text("hall")) == [.playOnce(ClipRequest(list: "hall"))])
    #expect(commands(text("/vitrine/select") + text(",i") + number(3)) == [.select(number: 3)])
    #expect(commands(text("/vitrine/seek") + text(",f") + number(Float(1.5).bitPattern)) == [.seek(to: .seconds(1.5))])
    #expect(commands(text("/vitrine/seek") + text(",s") + text("-10")) == [.skip(by: .seconds(-10))])
    #expect(commands(text("/vitrine/mute") + text(",T")) == [.setMuted(true)])
    #expect(
      commands(text("/vitrine/message") + text(",s") + text("--for")) == [.showMessage("--for", for: Verb.messageStay)])
    // A button's press and release, a switch, a fader's part of a percent.
    let (one, zero) = (number(Float(1).bitPattern), number(0))
    #expect(commands(text("/vitrine/next") + text(",f") + one) == [.next])
    #expect(commands(text("/vitrine/next") + text(",f") + zero).isEmpty)
    #expect(commands(text("/vitrine/mute") + text(",i") + zero) == [.setMuted(false)])
    #expect(
      commands(text("/vitrine/volume") + text(",f") + number(Float(39.7).bitPattern)) == [.setVolume(percent: 40)])
    let left = ControlDatagram(text("/vitrine/left/pause") + text(","))
    #expect((try? left.requests.first?.get())?.screen == "left" && !left.wantsAnswers)
  }

  @Test("A bundle's messages are carried out in their order")
  func bundles() {
    let (next, pause) = (text("/vitrine/next") + text(","), text("/vitrine/pause") + text(","))
    #expect(commands(bundle([next, bundle([pause]), next])) == [.next, .pause, .next])
  }

  @Test("Bytes that aren't OSC, bundles without end and other addresses are refused")
  func malformed() {
    let next = text("/vitrine/next") + text(",")
    for bytes in [
      text("/vitrine/volume") + text(",i"), text("/vitrine/volume") + text(",z"), Array("/vitrine/next".utf8),
      text("/vitrine/next") + text("x"), text("/vitrine/seek") + text(",f") + number(Float.nan.bitPattern),
      text("#bundle") + [0, 0], bundle([[]]), Array(bundle([next]).dropLast()), text("/") + [0xFF],
      bundle([bundle([bundle([bundle([bundle([next])])])])]), bundle(Array(repeating: next, count: 17)),
      text("/other/next") + text(","), text("/vitrine") + text(","), text("/vitrine/a/b/next") + text(","),
    ] { #expect(errors(bytes) == [7617], "\(String(decoding: bytes, as: UTF8.self))") }
    #expect(errors(text("/vitrine/dance") + text(",")) == [7603])
    #expect(errors(text("/vitrine/left/reload") + text(",")) == [7604])
    #expect(errors(text("/vitrine/subscribe") + text(",")) == [7604])
  }
}
