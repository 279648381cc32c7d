import PlaybackCore
import Testing

@testable import KioskCore

@Suite("PJLink: lines")
struct PJLinkMessageTests {
  private func reply(_ line: String, to command: PJLinkCommand) -> PJLinkReply? {
    PJLinkReply(Array(line.utf8), to: command)
  }

  @Test("Commands are lines of class 1")
  func commands() {
    let all: [PJLinkCommand] = [
      .power(true), .power(false), .askPower, .input("31"), .askInput, .askFaults, .askLamps,
    ]
    #expect(
      all.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "%1POWR 1\r", "%1POWR 0\r", "%1POWR ?\r", "%1INPT 31\r", "%1INPT ?\r", "%1ERST ?\r", "%1LAMP ?\r",
      ])
  }

  @Test("Answers are read, whatever the case of their letters, and only by the command that they belong to")
  func replies() throws {
    #expect(reply("%1POWR=OK", to: .power(true)) == .done)
    #expect(reply("%1powr=ok", to: .power(true)) == .done)
    #expect(reply("%1INPT=OK", to: .input("31")) == .done)
    #expect(
      "0123".map { reply("%1POWR=\($0)", to: .askPower) } == [
        .power(.off), .power(.on), .power(.cooling), .power(.warming),
      ])
    #expect(reply("%1INPT=31", to: .askInput) == .input("31"))
    #expect(
      "1234".map { reply("%1POWR=ERR\($0)", to: .askPower) } == [
        .refused(.unknownCommand), .refused(.outOfRange), .refused(.notNow), .refused(.failure),
      ])
    #expect(reply("PJLINK ERRA", to: .askPower) == .wrongPassword)
    guard case .faults(let faults)? = reply("%1ERST=020011", to: .askFaults) else {
      Issue.record("no faults")
      return
    }
    #expect(faults.words == ["lamp error", "filter warning", "other warning"] && !faults.isEmpty)
    #expect(reply("%1ERST=000000", to: .askFaults) == .faults(ProjectorFaults()))
    #expect(
      reply("%1LAMP=12345 1 0 0", to: .askLamps)
        == .lamps([ProjectorLamp(hours: 12345, isOn: true), ProjectorLamp(hours: 0, isOn: false)]))
    for line in ["%1INPT=OK", "%2POWR=OK", "POWR=OK", "", "%1POWR", "PJLINK 0"] {
      #expect(reply(line, to: .power(true)) == nil, "\(line)")
    }
  }

  @Test("An answer without a meaning is told apart from one to another command")
  func unreadable() {
    let lines: [(String, PJLinkCommand)] = [
      ("%1POWR=4", .askPower), ("%1POWR=", .askPower), ("%1POWR=11", .askPower), ("%1POWR=ERR5", .askPower),
      ("%1POWR=OK ", .power(false)), ("%1INPT=3", .askInput), ("%1INPT=311", .askInput), ("%1INPT=3/", .askInput),
      ("%1ERST=00000", .askFaults), ("%1ERST=0000003", .askFaults), ("%1ERST=300000", .askFaults),
      ("%1LAMP=", .askLamps), ("%1LAMP=12", .askLamps), ("%1LAMP=12 2", .askLamps), ("%1LAMP=-1 0", .askLamps),
      ("%1LAMP=99999999999999999999 1", .askLamps), ("%1LAMP=1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", .askLamps),
    ]
    for (line, command) in lines { #expect(reply(line, to: command) == .unreadable, "\(line)") }
  }

  @Test("A greeting is one of three lines")
  func greetings() {
    func greeting(_ line: String) -> PJLinkGreeting? { PJLinkGreeting(Array(line.utf8)) }
    #expect(greeting("PJLINK 0") == .open)
    #expect(greeting("PJLINK 1 498e4a67") == .secured(random: Array("498e4a67".utf8)))
    #expect(greeting("PJLINK ERRA") == .wrongPassword)
    for line in ["", "PJLINK", "PJLINK 1", "PJLINK 1 498e4a6", "PJLINK 1 498e4a678", "PJLINK 1 498e4a6g", "SSH-2.0"] {
      #expect(greeting(line) == nil, "\(line)")
    }
  }

  @Test("Lines come in any pieces, with one end or two; what is too long is refused")
  func pieces() {
    var reader = PJLinkReader()
    #expect(reader.line(adding: Array("%1PO".utf8)) == .incomplete)
    #expect(reader.line(adding: Array("WR=1\r".utf8)) == .whole(Array("%1POWR=1".utf8)))
    #expect(reader.line(adding: Array("\n%1POWR=2\r\n".utf8)) == .whole(Array("%1POWR=2".utf8)))
    #expect(reader.line(adding: []) == .incomplete)
    let most = [UInt8](repeating: 0x41, count: PJLinkReader.longest - 1)
    #expect(reader.line(adding: most + [0x0D]) == .whole(most))
    #expect(reader.line(adding: most) == .incomplete)
    #expect(reader.line(adding: [0x41]) == .tooLong)
    #expect(reader.line(adding: [UInt8](repeating: 0x41, count: 100_000)) == .tooLong)
  }

  @Test("No bytes, however odd, are more than refused")
  func anyBytes() {
    var random = SplitMix64(state: 7)
    let heads = ["", "%1POWR=", "%1INPT=", "%1ERST=", "%1LAMP=", "PJLINK ", "PJLINK 1 "].map { Array($0.utf8) }
    let letters = Array("0123456789 ERAOK\r".utf8)
    let commands: [PJLinkCommand] = [.power(true), .askPower, .input("31"), .askInput, .askFaults, .askLamps]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...200, using: &random)
      // Half of them of few letters, so that some are nearly right.
      let isNear = Bool.random(using: &random)
      let rest = (0..<count).map { _ in
        isNear ? letters.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      var reader = PJLinkReader()
      guard case .whole(let line) = reader.line(adding: (heads.randomElement(using: &random) ?? []) + rest + [0x0D])
      else { continue }
      #expect(line.count < PJLinkReader.longest)
      _ = PJLinkGreeting(line)
      for command in commands { _ = PJLinkReply(line, to: command) }
    }
  }
}
