import Testing

@testable import PlaybackCore

@Suite("Subtitles: files beside the film")
struct SidecarNamesTests {
  typealias Sidecar = SidecarNames.Sidecar

  @Test("Those of the film, with what their names say, in the order of their names")
  func folder() {
    let names = [
      "film.vtt", "film.srt", "film.mp4", "film2.srt", "film.de-AT.vtt", "other.srt", "film.en.forced.srt", "film.txt",
      "film.Director's cut.eng.srt", "film.srt.bak",
    ]
    #expect(
      SidecarNames.sidecars(of: "film.mp4", among: names) == [
        Sidecar(name: "film.Director's cut.eng.srt", language: "eng", title: "Director's cut"),
        Sidecar(name: "film.de-AT.vtt", language: "de-AT"),
        Sidecar(name: "film.en.forced.srt", language: "en", isForced: true),
        Sidecar(name: "film.srt"), Sidecar(name: "film.vtt"),
      ])
  }

  @Test(
    "Names",
    arguments: [
      ("film", "film.srt"), ("film.de.mkv", "film.de.srt"), (".hidden", ".hidden.srt"), ("Ünter x.webm", "Ünter x.SRT"),
      ("film.", "film.srt"), ("a.b.c.mp4", "a.b.c.vtt"),
    ])
  func names(film: String, sidecar: String) {
    #expect(SidecarNames.sidecars(of: film, among: [sidecar]) == [Sidecar(name: sidecar)])
  }

  @Test("No film, no subtitles", arguments: ["", "other.mp4", ".srt"])
  func none(film: String) { #expect(SidecarNames.sidecars(of: film, among: ["film.srt", "x.vtt"]).isEmpty) }

  @Test("Words and signs that are no language are a title", arguments: ["English", "sdh", "CC", "und", "commentary"])
  func titles(word: String) {
    #expect(
      SidecarNames.sidecars(of: "film.mp4", among: ["film.\(word).srt"])
        == [Sidecar(name: "film.\(word).srt", title: word)])
  }

  @Test("An address that an item names says its language too")
  func named() {
    #expect(SidecarNames.describe("anything.at.all.fr.vtt").language == "fr")
    #expect(
      SidecarNames.describe("film.pt-BR.forced.srt")
        == Sidecar(
          name: "film.pt-BR.forced.srt", language: "pt-BR", isForced: true))
    #expect(SidecarNames.describe("de.srt") == Sidecar(name: "de.srt"))
  }
}
