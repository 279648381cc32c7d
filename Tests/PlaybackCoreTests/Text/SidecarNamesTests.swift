import Testing

@testable import PlaybackCore

@Suite("Subtitles: files beside the film")
struct SidecarNamesTests {
  typealias Sidecar = SidecarNames.Sidecar

  @Test("The sidecars of a film are found in the order of their names, with language and title from them")
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
    "A sidecar's name gives its language and title",
    arguments: [
      ("film", "film.srt"), ("film.de.mkv", "film.de.srt"), (".hidden", ".hidden.srt"), ("Ünter x.webm", "Ünter x.SRT"),
      ("film.", "film.srt"), ("a.b.c.mp4", "a.b.c.vtt"),
    ])
  func names(film: String, sidecar: String) {
    #expect(SidecarNames.sidecars(of: film, among: [sidecar]) == [Sidecar(name: sidecar)])
  }

  @Test("Without a film there are no sidecars", arguments: ["", "other.mp4", ".srt"])
  func none(film: String) { #expect(SidecarNames.sidecars(of: film, among: ["film.srt", "x.vtt"]).isEmpty) }

  @Test("A name without a language gives a title", arguments: ["English", "sdh", "CC", "und", "commentary"])
  func titles(word: String) {
    #expect(
      SidecarNames.sidecars(of: "film.mp4", among: ["film.\(word).srt"])
        == [Sidecar(name: "film.\(word).srt", title: word)])
  }

  @Test("A configured sidecar's address gives its language too")
  func named() {
    #expect(SidecarNames.describe("anything.at.all.fr.vtt").language == "fr")
    #expect(
      SidecarNames.describe("film.pt-BR.forced.srt")
        == Sidecar(
          name: "film.pt-BR.forced.srt", language: "pt-BR", isForced: true))
    #expect(SidecarNames.describe("de.srt") == Sidecar(name: "de.srt"))
  }
}
