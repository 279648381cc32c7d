import PlaybackCore
import Testing

@Suite("Subtitles: the visible cues")
struct SubtitleTrackModelTests {
  private func cue(_ text: String, _ start: Int64, _ end: Int64) -> SubtitleCue {
    SubtitleCue(start: .seconds(start), end: .seconds(end), text: text)
  }
  private func track(_ id: String, on: Bool, file: String? = nil) -> MediaTrack {
    MediaTrack(id: id, kind: .text, isEnabled: on, file: file)
  }
  private func texts(_ model: SubtitleTrackModel, _ second: Int64) -> [String] {
    model.cues(at: .seconds(second)).map(\.text)
  }

  @Test("Cues of a disabled track are hidden, and enabling it shows those that came")
  func off() {
    var model = SubtitleTrackModel()
    model.updateTracks([track("text-0", on: false)])
    model.addCue(cue("a", 1, 3))
    #expect(texts(model, 2) == [])
    #expect(model.nextChange(after: .zero) == nil)
    model.updateTracks([track("text-0", on: true)])
    #expect(texts(model, 2) == ["a"])
    #expect(texts(model, 3) == [])
    #expect(model.nextChange(after: .zero) == .seconds(1))
    #expect(model.nextChange(after: .seconds(1)) == .seconds(3))
  }

  @Test("A cue that comes again after a seek back is kept once")
  func again() {
    var model = SubtitleTrackModel()
    model.updateTracks([track("text-0", on: true)])
    for _ in 0..<2 { for start in [1, 5] as [Int64] { model.addCue(cue("\(start)", start, start + 2)) } }
    #expect(texts(model, 1) == ["1"] && texts(model, 6) == ["5"])
  }

  @Test("Another embedded track begins without the former one's cues; off and on again keeps them")
  func another() {
    var model = SubtitleTrackModel()
    model.updateTracks([track("text-0", on: true), track("text-1", on: false)])
    model.addCue(cue("a", 1, 3))
    model.updateTracks([track("text-0", on: false), track("text-1", on: false)])
    model.updateTracks([track("text-0", on: true), track("text-1", on: false)])
    #expect(texts(model, 1) == ["a"])
    model.updateTracks([track("text-0", on: false), track("text-1", on: true)])
    #expect(texts(model, 1) == [])
  }

  @Test("A sidecar's cues show while its track is on, beside the embedded ones")
  func files() {
    var model = SubtitleTrackModel()
    let file = "file:///m/film.de.srt"
    model.setTimeline(SubtitleTimeline([cue("Guten Abend", 1, 3)]), of: file)
    #expect(texts(model, 1) == [])
    model.updateTracks([track("text-0", on: false), track(file, on: true, file: file)])
    model.addCue(cue("Good evening", 1, 2))
    #expect(texts(model, 1) == ["Guten Abend"])
    model.updateTracks([track("text-0", on: true), track(file, on: true, file: file)])
    #expect(texts(model, 1) == ["Good evening", "Guten Abend"])
    #expect(model.nextChange(after: .seconds(1)) == .seconds(2))
  }

  @Test("An endless stream of cues doesn't grow: the oldest are dropped")
  func bounded() {
    var model = SubtitleTrackModel()
    model.updateTracks([track("text-0", on: true)])
    let count = Int64(SubtitleTrackModel.maximumEmbeddedCues) + 5
    for start in 0..<count { model.addCue(cue("\(start)", start, start + 1)) }
    #expect(texts(model, 4) == [])
    #expect(texts(model, 5) == ["5"])
    #expect(texts(model, count - 1) == ["\(count - 1)"])
  }
}
