import PlaybackCore
import Testing

@Suite("Chosen tracks")
struct ChosenTracksTests {
  private let tracks = [
    MediaTrack(id: "video-0", kind: .video), MediaTrack(id: "audio-0", kind: .audio, language: "en"),
    MediaTrack(id: "audio-1", kind: .audio, language: "de"),
    MediaTrack(id: "ad", kind: .audio, language: "en", isDescription: true, file: "file:///hall.ad.en.mp3"),
    MediaTrack(id: "text-0", kind: .text, language: "de"),
  ]
  private let usual = TrackPreferences(audioLanguages: ["en"], subtitles: .off)

  @Test("Without a headset the visitor's choice is the room's")
  func room() {
    let wish = TrackPreferences(audioLanguages: ["de"], subtitleLanguages: ["de"], subtitles: .always)
    let chosen = ChosenTracks(of: tracks, wish)
    #expect(chosen.ids == ["video-0", "audio-1", "text-0"] && chosen.room == chosen.ids)
    #expect(chosen.loudspeaker?.id == "audio-1" && chosen.headset == chosen.loudspeaker)
  }

  @Test("With one, sound is the headset's alone; captions and the picture are on the screen")
  func headset() {
    var wish = TrackPreferences(audioLanguages: ["de"], subtitleLanguages: ["de"], subtitles: .always)
    var chosen = ChosenTracks(of: tracks, wish, configured: usual)
    #expect(chosen.ids == ["video-0", "audio-1", "text-0"] && chosen.room == ["video-0", "audio-0", "text-0"])
    #expect(chosen.loudspeaker?.id == "audio-0" && chosen.headset?.id == "audio-1")
    wish = usual
    wish.audioDescription = true
    chosen = ChosenTracks(of: tracks, wish, configured: usual)
    #expect(chosen.headset?.id == "ad" && chosen.loudspeaker?.id == "audio-0")
    // What is switched by hand, by the library, is so on both.
    chosen = ChosenTracks(of: tracks, wish, configured: usual, overrides: ["audio-1": true])
    #expect(chosen.headset?.id == "audio-1" && chosen.loudspeaker?.id == "audio-1")
  }

  @Test("An item without sound has no track on either device")
  func silent() {
    let chosen = ChosenTracks(of: [tracks[0]], usual, configured: usual)
    #expect(chosen.ids == ["video-0"] && chosen.room == chosen.ids && chosen.loudspeaker == nil)
    #expect(chosen.headset == nil)
  }
}
