import PlaybackCore
import Testing

@Suite("Texts in several languages")
struct LocalTextTests {
  private func tags(_ texts: [String: String]) throws -> [LanguageTag: String] {
    var found: [LanguageTag: String] = [:]
    for (tag, text) in texts { found[try #require(LanguageTag(tag))] = text }
    return found
  }

  @Test("Everybody reads the text in the own language, else in English, else in the first")
  func languages() throws {
    let hall = try #require(
      LocalText(languages: tags(["de": "Die Halle", "en-GB": "The hall", "de-AT": "De Halln", "fr": "La salle"])))
    for (wanted, text) in [
      ("de", "Die Halle"), ("de-AT", "De Halln"), ("de-CH", "Die Halle"), ("deu", "Die Halle"), ("en", "The hall"),
      ("fr-CA", "La salle"), ("ja", "The hall"),
    ] { #expect(hall.text(in: LanguageTag(wanted)) == text, "\(wanted)") }
    #expect(hall.text(in: nil) == "The hall" && hall.usual == "The hall")
    let without = try #require(LocalText(languages: tags(["fr": "La salle", "de": "Die Halle"])))
    #expect(without.text(in: LanguageTag("ja")) == "Die Halle")
    #expect(LocalText("Hall").text(in: LanguageTag("de")) == "Hall" && LocalText(languages: [:]) == nil)
  }

  @Test("An item keeps its title in each language, and one for everybody costs it nothing")
  func item() throws {
    var item = MediaItem(uri: "/hall.mp4", title: "Hall", kind: .file)
    let plain = item
    item.localTitle = try #require(LocalText(languages: tags(["de": "Die Halle", "en": "The hall"])))
    #expect(item.title == "The hall" && item.localTitle.text(in: LanguageTag("de")) == "Die Halle")
    item.localTitle = LocalText("Hall")
    #expect(item == plain)
  }
}
