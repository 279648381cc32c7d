import PlaybackCore
import Testing

@testable import ControlProtocol

@Suite("Open Sound Control: written")
struct OSCBytesTests {
  private func read(_ bytes: [UInt8]) throws -> OSCMessage {
    let messages = try OSCMessage.messages(in: bytes, atMost: 1)
    return try #require(messages.first)
  }

  @Test("A message is what the parser reads back")
  func roundTrip() throws {
    let arguments: [CueArgument] = [
      .whole(1), .whole(-7), .whole(5_000_000_000), .number(0.5), .text("Back at two, Zürich"), .text(""), .truth(true),
      .truth(false),
    ]
    let message = try read(OSCBytes.message("/cue/5/start", arguments))
    #expect(message.address == "/cue/5/start")
    #expect(message.words == ["1", "-7", "5000000000", "0.5", "Back at two, Zürich", "", "on", "off"])
  }

  @Test("Every length of a text and of the types is padded to four bytes")
  func padding() throws {
    for length in 0..<40 {
      let text = String(repeating: "a", count: length)
      let bytes = OSCBytes.message("/" + text, [CueArgument](repeating: .text(text), count: length % 9))
      #expect(bytes.count % 4 == 0)
      let message = try read(bytes)
      #expect(message.address == "/" + text && message.words == [String](repeating: text, count: length % 9))
    }
  }

  @Test("The bytes of the specification's example")
  func example() {
    #expect(
      OSCBytes.message("/oscillator/4/frequency", [.number(440)])
        == Array("/oscillator/4/frequency\0,f\0\0".utf8) + [0x43, 0xDC, 0, 0])
  }

  @Test("Moments of cues have the names of events, but for the time and the words of health")
  func moments() {
    for moment in CueMoment.allCases where moment != .time && !moment.isOfHealth {
      #expect(ControlEventKind(rawValue: moment.rawValue) != nil, "\(moment)")
    }
  }
}
