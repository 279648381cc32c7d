import Testing

@testable import PlaybackCore

@Suite("Subtitles: files beside the film")
struct SidecarNamesTests {
  @Test("In the order of the languages, the one without a language last")
  func order() {
    let candidates = SidecarNames.candidates(for: "/m/film.mp4", languages: ["de-AT", "en"])
    #expect(
      candidates.map(\.path) == [
        "/m/film.de-AT.srt", "/m/film.de-AT.vtt", "/m/film.de.srt", "/m/film.de.vtt", "/m/film.deu.srt",
        "/m/film.deu.vtt", "/m/film.ger.srt", "/m/film.ger.vtt", "/m/film.en.srt", "/m/film.en.vtt", "/m/film.eng.srt",
        "/m/film.eng.vtt", "/m/film.srt", "/m/film.vtt",
      ])
    #expect(
      candidates.map(\.language)
        == Array(repeating: "de-AT", count: 8) + Array(repeating: "en", count: 4) + [nil, nil])
  }

  @Test(
    "Names",
    arguments: [
      ("film.mp4", "film.srt"), ("film", "film.srt"), ("/a.b/film", "/a.b/film.srt"),
      ("/m/film.de.mkv", "/m/film.de.srt"),
      ("/m/.hidden", "/m/.hidden.srt"), ("/m/Ünter x.webm", "/m/Ünter x.srt"), ("./film.", "./film.srt"),
    ])
  func names(path: String, expected: String) {
    #expect(SidecarNames.candidates(for: path, languages: []).first?.path == expected)
  }

  @Test("No film, no names", arguments: ["", "/", "/m/"])
  func none(path: String) { #expect(SidecarNames.candidates(for: path, languages: ["de"]).isEmpty) }

  @Test("No language leads out of the folder, and no name comes twice")
  func safe() {
    let languages = ["../../etc", "de/x", "", "de", "de", "DE", "ger", "und", ".."]
    let paths = SidecarNames.candidates(for: "/m/film.mp4", languages: languages).map(\.path)
    #expect(Set(paths).count == paths.count)
    #expect(paths.contains("/m/film.de.srt"))
    let isInside = { (path: String) in path.hasPrefix("/m/film.") && !path.dropFirst(3).contains("/") }
    #expect(paths.filter { !isInside($0) }.isEmpty)
  }
}
