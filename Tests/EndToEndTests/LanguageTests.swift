import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite("The language of what visitors read", .serialized)
struct LanguageTests {
  private static let languages = Tool.root.appending(path: "config/languages").path
  private static let environment = ["VITRINE_LANGUAGE_DIR": languages, "LC_ALL": "C.UTF-8"]

  private func vitrine(_ arguments: [String], environment: [String: String] = environment) async throws -> Tool.Outcome
  {
    try await Tool.run(Player.path, arguments, environment: environment, limit: 30)
  }

  private func screenshot(_ player: RunningPlayer) async throws -> Pixels {
    let path = player.directory.path("shot.png")
    let told = try await vitrine(["ctl", "screenshot", "--socket", player.directory.path("run/control"), path])
    #expect(told.status == 0, "\(told)")
    return try await Pixels(path: path)
  }

  /// A paused film with a title, and its picture with English words.
  ///
  /// - Parameter title: as TOML.
  private func pausedFilm(
    in directory: TemporaryDirectory, title: String = "\"2019\""
  ) async throws -> (player: RunningPlayer, english: Pixels) {
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let list = "[[playlist.main.item]]\nuri = \"\(film)\"\ntitle = \(title)\n"
    try RunningPlayer.write("version = 1\n" + list, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory, environment: Self.environment)
    try await player.showedFrame()
    let socket = directory.path("run/control")
    #expect(try await vitrine(["ctl", "pause", "--socket", socket]).status == 0)
    #expect(try await vitrine(["ctl", "seek", "10", "--socket", socket]).status == 0)
    var english = try await screenshot(player)
    // The bar's position may change after the film's frame: two pictures that are the same show both.
    try await eventually("the frame isn't there") {
      let before = english
      english = try await screenshot(player)
      return english.frameNumber(x: 0, y: 0, width: 1280) == 300 && isSame(before, english)
    }
    return (player, english)
  }

  private func isSame(_ a: Pixels, _ b: Pixels) -> Bool { a.bytes == b.bytes }

  /// The line of the title, left and right.
  private func heading(_ picture: Pixels) -> [Pixels] {
    [40, 900].map { picture.cropped(x: $0, y: 590, width: 340, height: 50) }
  }

  @Test("overlay.language takes effect on reload: of a film that is paused the words change, and nothing else")
  func reload() async throws {
    let directory = try TemporaryDirectory()
    let (player, english) = try await pausedFilm(in: directory)
    try player.write("[overlay]\nlanguage = \"ar\"\n", as: "conf.d/10-language.toml")
    var arabic = english
    try await eventually("the words stay: \(player.log)") {
      arabic = try await screenshot(player)
      return zip(heading(english), heading(arabic)).allSatisfy { !isSame($0, $1) }
    }
    let upper = { (picture: Pixels) in picture.cropped(x: 0, y: 0, width: 1280, height: 400) }
    #expect(isSame(upper(english), upper(arabic)), "the film is the same")

    try player.write("[overlay]\nlanguage = \"en\"\n", as: "conf.d/10-language.toml")
    try await eventually("the words stay") {
      zip(heading(english), heading(try await screenshot(player))).allSatisfy { isSame($0, $1) }
    }
    let run = try await player.stop()
    #expect(run.outcome.status == 0 && run.report?.transitionsTotal == 0)
  }

  @Test("Words and title are in the language that a visitor chooses; one without texts leaves the configured one")
  func chosen() async throws {
    let directory = try TemporaryDirectory()
    let (player, english) = try await pausedFilm(in: directory, title: "{ en = \"2019\", en-GB = \"The hall\" }")
    let socket = directory.path("run/control")
    // Where the line of the title is as at first, left (the title) and right ("Paused"): Arabic begins at the right.
    for (language, isAsInEnglish) in [
      ("ar", [false, false]), ("en", [true, true]), ("en-GB", [false, true]), ("ar", [false, false]),
      ("tlh", [true, true]),
    ] {
      #expect(try await vitrine(["ctl", "language", language, "--socket", socket]).status == 0)
      try await eventually("the words aren't as after \(language): \(player.log)") {
        let now = try await screenshot(player)
        return zip(heading(english), heading(now)).map { isSame($0, $1) } == isAsInEnglish
      }
    }
    let run = try await player.stop()
    #expect(run.outcome.status == 0)
  }

  @Test("A reload reads a translator's file beside the configuration again; a damaged one leaves English")
  func translator() async throws {
    let directory = try TemporaryDirectory()
    let film = try await Media.path("h264-60s-640x360-30.mp4")
    let german = try String(contentsOfFile: "\(Self.languages)/de.toml", encoding: .utf8)
    try RunningPlayer.write(german.replacing("\"Stumm\"", with: "{"), as: "languages/de.toml", in: directory)
    try RunningPlayer.write(
      "version = 1\n[overlay]\nlanguage = \"de\"\n[[playlist.main.item]]\nuri = \"\(film)\"\n", as: "vitrine.toml",
      in: directory)
    let player = try RunningPlayer(["-v", "--confirm-after", "1"], in: directory, environment: Self.environment)
    try await player.logged { $0.contains("languages/de.toml:") && $0.contains("(error 1006)") }
    try await player.state { $0.state == "confirmed" }
    try player.write(german, as: "languages/de.toml")
    let reload = try await vitrine(["reload", "--runtime", directory.path("run"), "--wait", "30"])
    #expect(reload.status == 0, "\(reload) \(player.log)")
    #expect(try await player.stop().outcome.status == 0)
  }

  @Test("vitrine check says of a language's file what is wrong, and of a configuration whether there is its language")
  func check() async throws {
    let good = try await vitrine(["check", "--language", "\(Self.languages)/de.toml"])
    #expect(good.status == 0 && good.output.contains("de.toml: 0 errors"), "\(good)")

    let directory = try TemporaryDirectory()
    let german = try String(contentsOfFile: "\(Self.languages)/de.toml", encoding: .utf8)
    let bad = try directory.write(
      german.replacing("muted = \"Stumm\"\n", with: "").replacing("{percent}", with: "{prozent}"), as: "de.toml")
    let told = try await vitrine(["check", "--language", bad])
    #expect(told.status == 78)
    for line in ["[messages].muted: missing", "{prozent} is not known", "the language has 3 errors", "(error 1006)"] {
      #expect(told.output.contains(line), "\(told.output)")
    }
    #expect(try await vitrine(["check", "--language", bad, "--probe"]).status == 64)

    let clip = try await Media.path("h264-640x360-30-2s.mp4")
    func configuration(_ language: String) throws -> String {
      try directory.write(
        "version = 1\n[overlay]\nlanguage = \"\(language)\"\n[[playlist.main.item]]\nuri = \"\(clip)\"\n", as: "k.toml")
    }
    let none = try await vitrine(["check", try configuration("tlh")])
    #expect(
      none.status == 0 && none.output.contains("warning: [overlay].language: \"tlh\": there are no texts"), "\(none)")
    #expect(none.output.contains("ar, de, es, fr, ja"))
    let french = try await vitrine(["check", "--strict", try configuration("fr-CA")])
    #expect(french.status == 0, "\(french)")
  }
}
