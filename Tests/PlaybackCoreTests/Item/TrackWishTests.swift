import PlaybackCore
import Testing

@Suite("A visitor's captions and language")
struct TrackWishTests {
  private let english = MediaTrack(id: "audio-0", kind: .audio, language: "eng", isEnabled: true)
  private let german = MediaTrack(id: "audio-1", kind: .audio, language: "de")
  private let forced = MediaTrack(id: "text-0", kind: .text, language: "en", isForced: true, isEnabled: true)
  private let textDE = MediaTrack(id: "text-1", kind: .text, language: "deu", title: "Deutsch für Gehörlose")
  private let textEN = MediaTrack(id: "text-2", kind: .text, language: "en")
  private let textUnknown = MediaTrack(id: "text-3", kind: .text, title: "Notes")
  private var all: [MediaTrack] { [english, german, forced, textDE, textEN] }

  private func enabled(_ tracks: [MediaTrack], _ preferences: TrackPreferences, _ wish: TrackWish) -> [MediaTrack] {
    let chosen = TrackChoice.choose(tracks, wish.applied(to: preferences))
    return tracks.map { track in
      var track = track
      track.isEnabled = chosen.contains(track.id)
      return track
    }
  }

  private func ids(_ tracks: [MediaTrack]) -> [String] { tracks.filter(\.isEnabled).map(\.id) }

  @Test("Without a choice, the preferences hold")
  func none() {
    let preferences = TrackPreferences(audioLanguages: ["de"], subtitleLanguages: ["en"], subtitles: .always)
    #expect(TrackWish().applied(to: preferences) == preferences)
  }

  @Test("Captions go on in the language that is heard, and off again; texts of foreign parts stay")
  func toggle() {
    var wish = TrackWish()
    let preferences = TrackPreferences()
    #expect(ids(enabled(all, preferences, wish)) == ["audio-0", "text-0"])
    #expect(wish.changeCaptions(.toggle, of: enabled(all, preferences, wish))?.id == "text-2")
    #expect(ids(enabled(all, preferences, wish)) == ["audio-0", "text-2"])
    #expect(wish.changeCaptions(.toggle, of: enabled(all, preferences, wish)) == nil)
    #expect(ids(enabled(all, preferences, wish)) == ["audio-0", "text-0"])
  }

  @Test("Captions that the configuration always shows can be switched off, and on again")
  func configured() {
    var wish = TrackWish()
    let preferences = TrackPreferences(subtitleLanguages: ["de"], subtitles: .always)
    #expect(ids(enabled(all, preferences, wish)) == ["audio-0", "text-1"])
    #expect(wish.changeCaptions(.toggle, of: enabled(all, preferences, wish)) == nil)
    #expect(ids(enabled(all, preferences, wish)) == ["audio-0", "text-0"])
    #expect(wish.changeCaptions(.on, of: enabled(all, preferences, wish))?.id == "text-2")
  }

  @Test(
    "Where a language has two texts, visitors get the one for people who don't hear; the configuration gets the other"
  )
  func hardOfHearing() {
    var plain = textEN
    plain.isDefault = true
    var told = MediaTrack(id: "text-4", kind: .text, language: "en", title: "SDH")
    told.isForHardOfHearing = true
    for tracks in [[english, german, textDE, plain, told], [english, german, told, textDE, plain]] {
      let always = TrackPreferences(subtitleLanguages: ["en"], subtitles: .always)
      #expect(ids(enabled(tracks, always, TrackWish())) == ["audio-0", "text-2"])
      for request in [TrackRequest.toggle, .on, .language(.english)] {
        var wish = TrackWish()
        let preferences = TrackPreferences()
        #expect(wish.changeCaptions(request, of: enabled(tracks, preferences, wish))?.id == "text-4", "\(request)")
        #expect(ids(enabled(tracks, preferences, wish)) == ["audio-0", "text-4"], "\(request)")
        #expect(wish.shown(of: enabled(tracks, preferences, wish))?.id == "text-4")
      }
      // One stop for each language.
      #expect(Set(TrackWish.captions(of: tracks).map(\.id)) == ["text-1", "text-4"])
    }
    let unnamed = [english, MediaTrack(id: "text-5", kind: .text), told]
    var wish = TrackWish()
    wish.captions = .on(nil)
    #expect(ids(enabled(unnamed, TrackPreferences(), wish)) == ["audio-0", "text-5"])
  }

  @Test("Next goes through the languages and then off")
  func next() {
    var wish = TrackWish()
    var seen: [String?] = []
    for _ in 0..<4 { seen.append(wish.changeCaptions(.next, of: enabled(all, TrackPreferences(), wish))?.id) }
    #expect(seen == ["text-1", "text-2", nil, "text-1"])
  }

  @Test("A language by its tag is kept for the next items, where this one has none in it")
  func byTag() throws {
    var wish = TrackWish()
    let french = try #require(LanguageTag("fr"))
    #expect(wish.changeCaptions(.language(french), of: all) == nil)
    let next = [english, MediaTrack(id: "text-9", kind: .text, language: "fra"), textDE]
    #expect(ids(enabled(next, TrackPreferences(), wish)) == ["audio-0", "text-9"])
    let german = try #require(LanguageTag("de"))
    #expect(wish.changeCaptions(.language(german), of: all)?.id == "text-1")
  }

  @Test("Captions of an unknown language can be switched on; an item without captions changes nothing by a button")
  func unknown() {
    var wish = TrackWish()
    let tracks = [english, textUnknown]
    #expect(wish.changeCaptions(.next, of: tracks)?.shownName == "Notes")
    #expect(ids(enabled(tracks, TrackPreferences(), wish)) == ["audio-0", "text-3"])
    var other = TrackWish()
    #expect(other.changeCaptions(.next, of: [english, forced]) == nil && other == TrackWish())
    #expect(other.changeCaptions(.on, of: [english, forced]) == nil && other.captions == .on(nil))
  }

  @Test("The language of the sound changes, and captions that are on follow")
  func language() {
    var wish = TrackWish()
    #expect(wish.changeLanguage(.next, of: [english, textDE]) == nil && wish == TrackWish(), "one language only")
    #expect(wish.changeLanguage(.next, of: all)?.id == "audio-1")
    #expect(ids(enabled(all, TrackPreferences(), wish)) == ["audio-1"], "the forced text is for the English sound")
    #expect(wish.captions == .configured)
    #expect(wish.changeCaptions(.toggle, of: enabled(all, TrackPreferences(), wish))?.id == "text-1")
    #expect(wish.changeLanguage(.next, of: enabled(all, TrackPreferences(), wish))?.id == "audio-0")
    #expect(ids(enabled(all, TrackPreferences(), wish)) == ["audio-0", "text-2"])
  }

  @Test("An audio description is heard in the language of the sound, follows the language, and goes off again")
  func description() throws {
    func described(_ id: String, _ language: String) -> MediaTrack {
      MediaTrack(id: id, kind: .audio, language: language, isDescription: true)
    }
    let (ad, adDE) = (described("audio-2", "en"), described("audio-3", "de"))
    let tracks = [ad, english, german, adDE, textDE]
    let plain = TrackPreferences()
    var wish = TrackWish()
    #expect(ids(enabled(tracks, plain, wish)) == ["audio-0"], "a description isn't heard unasked, wherever it stands")
    #expect(wish.changeDescription(nil, of: enabled(tracks, plain, wish))?.id == "audio-2")
    #expect(ids(enabled(tracks, plain, wish)) == ["audio-2"])
    #expect(wish.changeLanguage(.next, of: enabled(tracks, plain, wish))?.tag == german.tag)
    #expect(ids(enabled(tracks, plain, wish)) == ["audio-3"])
    #expect(wish.changeDescription(nil, of: enabled(tracks, plain, wish)) == nil && !wish.hearsDescription)
    #expect(ids(enabled(tracks, plain, wish)) == ["audio-1"], "the language stays")
    // Asked for by name, it holds for the next items, and one in another language is better than none.
    #expect(wish.changeDescription(nil, of: [english]) == nil && !wish.hearsDescription)
    #expect(wish.changeDescription(true, of: [english]) == nil && wish.hearsDescription)
    #expect(ids(enabled([german, ad], plain, wish)) == ["audio-2"])
    #expect(ids(enabled([german, english], plain, wish)) == ["audio-1"], "an item without one plays as usual")
  }

  @Test("A button's second press ends the wish for sign language; a command's wish holds for later items, too")
  func signed() {
    var film = MediaItem(uri: "file:///a.mp4", kind: .file)
    film.signed = "/a.bsl.mp4"
    let tracks = film.tracks(with: [english])
    #expect(
      tracks.map(\.isSigned) == [false, true] && tracks[1].isEnabled == false && tracks[1].file == "file:///a.bsl.mp4")
    var wish = TrackWish()
    #expect(wish.changeSigned(nil, of: [english]) == nil && !wish.isSigned)
    #expect(wish.changeSigned(nil, of: tracks) == tracks[1] && wish.isSigned)
    // Although it can't be played, and the film plays on.
    #expect(wish.changeSigned(nil, of: tracks) == nil && !wish.isSigned)
    #expect(wish.changeSigned(true, of: [english]) == nil && wish.isSigned)
    film.uri = "file:///a.bsl.mp4"
    #expect(film.tracks(with: [])[0].isEnabled)
  }

  @Test("Without a wish, an audio description is heard only where nothing else has the preferred language")
  func undescribed() {
    let ad = MediaTrack(id: "audio-2", kind: .audio, language: "fr", isDefault: true, isDescription: true)
    #expect(ids(enabled([ad, english], TrackPreferences(), TrackWish())) == ["audio-0"])
    #expect(ids(enabled([ad, english], TrackPreferences(audioLanguages: ["fr"]), TrackWish())) == ["audio-2"])
    #expect(ids(enabled([ad], TrackPreferences(), TrackWish())) == ["audio-2"])
  }

  @Test(
    "Languages are named in themselves, and by region where they have one",
    arguments: [("deu", "Deutsch"), ("pt-BR", "Português (BR)"), ("ja", "日本語"), ("gsw", "gsw")])
  func names(tag: String, name: String) throws {
    #expect(try #require(LanguageTag(tag)).ownName == name)
  }
}
