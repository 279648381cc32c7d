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

  @Test("Sound beside a film has a language or `ad` in its name; a file of the film's own name is an item")
  func sounds() {
    let names = [
      "film.mp4", "film.mp3", "film.de.m4a", "film.ad.en.mp3", "film.en.AD.wav", "film.ad.ogg", "film.commentary.mp3",
      "film.Audio description.pt-BR.flac", "film2.de.mp3", "other.de.mp3", "film.de.srt", "film.de.aac", "film.de.",
      "film.Director.fr.opus",
    ]
    #expect(
      SidecarNames.sounds(of: "film.mp4", among: names) == [
        Sidecar(
          name: "film.Audio description.pt-BR.flac", language: "pt-BR", isDescription: true, title: "Audio description"),
        Sidecar(name: "film.Director.fr.opus", language: "fr", title: "Director"),
        Sidecar(name: "film.ad.en.mp3", language: "en", isDescription: true),
        Sidecar(name: "film.ad.ogg", isDescription: true), Sidecar(name: "film.de.m4a", language: "de"),
        Sidecar(name: "film.en.AD.wav", language: "en", isDescription: true),
      ])
    // Sound has no sound beside it.
    for film in ["", "film.mp3", "film.M4A"] { #expect(SidecarNames.sounds(of: film, among: names).isEmpty) }
  }

  @Test("A folder's sound belongs to any of its films, or to none")
  func soundOfAny() {
    let films: Set<String> = ["film", "film.2", "Ünter"]
    for name in ["film.de.mp3", "film.2.ad.mp3", "Ünter.ad.en.M4A", "film.x.y.de.wav"] {
      #expect(SidecarNames.isSound(name, ofAny: films), "\(name)")
    }
    for name in ["film.mp3", "song.de.mp3", "film.de.srt", ".de.mp3", "film2.de.mp3", "mp3", "film.2.mp3"] {
      #expect(!SidecarNames.isSound(name, ofAny: films), "\(name)")
    }
    #expect(!SidecarNames.isSound("film.de.mp3", ofAny: []))
  }
}
