import Testing

@testable import PlaybackCore

@Suite("Choice of tracks")
struct TrackChoiceTests {
  private static func track(
    _ id: String, _ kind: MediaTrack.Kind, _ language: String? = nil, isDefault: Bool = false, isForced: Bool = false
  ) -> MediaTrack {
    MediaTrack(id: id, kind: kind, language: language, isDefault: isDefault, isForced: isForced)
  }

  private static let film: [MediaTrack] = [
    track("v1", .video), track("v2", .video, isDefault: true),
    track("en", .audio, "eng", isDefault: true), track("de", .audio, "ger"), track("de-at", .audio, "de-AT"),
    track("pt-br", .audio, "pt-BR"), track("nb", .audio, "nob"),
    track("s-en", .text, "en"), track("s-de", .text, "deu"), track("s-de-f", .text, "de", isForced: true),
    track("s-fr-f", .text, "fre", isForced: true), track("s-?", .text, "und"),
  ]

  @Test(
    "Audio is chosen by the list of languages, with regions and old codes",
    arguments: [
      ([], "en"), (["de"], "de"), (["ger"], "de"), (["DEU"], "de"), (["de-AT"], "de-at"), (["de_at"], "de-at"),
      (["de-CH"], "de"), (["ja", "pt"], "pt-br"), (["pt-PT"], "pt-br"), (["no"], "nb"), (["ja"], "en"), (["und"], "en"),
      (["../x", "de"], "de"), (["fr", "de", "en"], "de"),
    ])
  func audio(languages: [String], expected: String) {
    let chosen = TrackChoice.choose(Self.film, TrackPreferences(audioLanguages: languages, subtitles: .off))
    #expect(chosen == ["v2", expected])
  }

  @Test(
    "Subtitles are chosen by the list of languages",
    arguments: [
      (.off, ["de"], ["de"], nil), (.forced, ["de"], [], "s-de-f"), (.forced, ["en"], [], nil),
      (.forced, ["en"], ["fr"], "s-fr-f"), (.forced, ["de"], ["fr"], "s-de-f"), (.always, ["en"], ["de"], "s-de"),
      (.always, ["en"], ["ja", "en"], "s-en"), (.always, ["en"], ["fra"], "s-fr-f"), (.always, ["en"], ["ja"], "s-?"),
      (.always, ["en"], [], "s-en"),
    ] as [(TrackPreferences.Subtitles, [String], [String], String?)])
  func text(mode: TrackPreferences.Subtitles, audio: [String], text: [String], expected: String?) {
    let preferences = TrackPreferences(audioLanguages: audio, subtitleLanguages: text, subtitles: mode)
    let chosen = TrackChoice.choose(Self.film, preferences)
    #expect(chosen.filter { $0.hasPrefix("s-") } == Set([expected].compactMap(\.self)))
  }

  @Test("The default flag decides among equals, then the order")
  func equals() {
    let plain = [Self.track("1", .audio, "de"), Self.track("2", .audio, "de")]
    let flagged = plain + [Self.track("3", .audio, "de", isDefault: true)]
    let preferences = TrackPreferences(audioLanguages: ["de"])
    #expect(TrackChoice.choose(plain, preferences) == ["1"])
    #expect(TrackChoice.choose(flagged, preferences) == ["3"])
    #expect(TrackChoice.choose([Self.track("s", .text, "ja", isDefault: true)], .init(subtitles: .always)) == ["s"])
  }

  @Test(
    "The user's choice comes before the preferences",
    arguments: [
      (["v1": true], ["v1", "de"]), (["v2": false], ["v1", "de"]), (["v1": false, "v2": false], ["de"]),
      (["en": true], ["v2", "en"]), (["en": true, "de": true], ["v2", "en", "de"]), (["de": false], ["v2", "de-at"]),
      (["s-fr-f": true], ["v2", "de", "s-fr-f"]), (["gone": true], ["v2", "de"]), (["s-en": false], ["v2", "de"]),
    ] as [([String: Bool], Set<String>)])
  func overrides(overrides: [String: Bool], expected: Set<String>) {
    let preferences = TrackPreferences(audioLanguages: ["de"], subtitles: .off)
    #expect(TrackChoice.choose(Self.film, preferences, overrides: overrides) == expected)
  }

  @Test("Forced subtitles follow the sound that the user chose")
  func forcedFollowsOverride() {
    let chosen = TrackChoice.choose(Self.film, TrackPreferences(audioLanguages: ["en"]), overrides: ["de": true])
    #expect(chosen == ["v2", "de", "s-de-f"])
  }

  @Test("Without tracks nothing is chosen, and the tracks on at present don't matter")
  func edges() {
    #expect(TrackChoice.choose([], TrackPreferences()).isEmpty)
    let enabled = Self.film.map { track in
      var track = track
      track.isEnabled = true
      return track
    }
    let preferences = TrackPreferences(audioLanguages: ["de"], subtitleLanguages: ["de"], subtitles: .always)
    #expect(TrackChoice.choose(enabled, preferences) == TrackChoice.choose(Self.film, preferences))
  }

  @Test(
    "Language tags match by language, script and region, in old and new codes",
    arguments: [
      ("de", "ger", 3), ("de-AT", "deu_at", 3), ("de", "de-AT", 2), ("de-AT", "de", 2), ("de-AT", "de-CH", 1),
      ("zh-Hant", "zh-Hant-TW", 2), ("zh-Hant", "zho-Hans", 1), ("en", "de", 0), ("nn", "nb", 0), ("gsw", "gsw", 3),
      ("iw", "heb", 3),
    ])
  func match(wanted: String, other: String, rank: Int) throws {
    let (a, b) = (try #require(LanguageTag(wanted)), try #require(LanguageTag(other)))
    #expect(a.match(b) == rank)
  }

  @Test(
    "A text that isn't a language is refused",
    arguments: ["", "und", "MUL", "zxx", "d", "de-", "-de", "../x", "de/x", "d3", "deutschland", "é"])
  func noLanguage(text: String) { #expect(LanguageTag(text) == nil) }

  @Test("No code stands for two languages")
  func codes() {
    let languages = ["de", "en", "no", "nn", "zh", "fr", "cs", "nl", "el", "is", "ro", "sk", "mk", "ms", "sq", "cy"]
    let codes = languages.compactMap { LanguageTag($0)?.codes }.flatMap(\.self)
    #expect(codes.count > languages.count * 2)
    #expect(Set(codes).count == codes.count)
    for code in codes { #expect(LanguageTag(code)?.codes.contains(code) == true) }
  }
}
