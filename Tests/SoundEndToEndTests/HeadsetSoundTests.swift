import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@testable import MediaPipeline

@Suite(
  "Loudspeaker and headset, heard by a PulseAudio server", .serialized,
  .enabled(if: SoundServer.isInstalled, "PulseAudio is not installed (make setup)"))
struct HeadsetSoundTests {
  private let usual = TrackPreferences(audioLanguages: ["en"], subtitles: .off)
  private let german = TrackPreferences(audioLanguages: ["de"], subtitles: .off)

  /// A film with a beep of 440 Hz at the beginning of each second; in the file beside it the beep is softer.
  private func film(in folder: TemporaryDirectory) async throws -> MediaItem {
    let beeps = "sine=440:d=20:r=48000,volume='if(lt(mod(t,1),0.2),LEVEL,0)':eval=frame"
    func made(_ options: [String]) async throws {
      let outcome = try await Tool.run("ffmpeg", ["-v", "error", "-y"] + options)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    try await made(
      ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=20", "-f", "lavfi", "-i", beeps.replacing("LEVEL", with: "6")]
        + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        + [folder.path("hall.mp4")])
    try await made(
      ["-f", "lavfi", "-i", beeps.replacing("LEVEL", with: "2"), folder.path("hall.de.flac")])
    return MediaItem(uri: URL(filePath: folder.path("hall.mp4")).absoluteString, kind: .file)
  }

  @Test("Each has its own sound, in step with each other and the picture, through seeks and pauses")
  func two() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorders = (try server.record(), try server.record("kitchen"))
    let settings = SoundSettings(
      device: .pulse(sink: "speaker"), headset: .pulse(sink: "kitchen"), pulseServer: server.address)
    let rig = try await SoundRig(sound: settings)
    for recorder in [recorders.0, recorders.1] {
      try await recorder.has(until: rig.now + SoundPacePolicy().settling)
    }
    let folder = try TemporaryDirectory()
    let deck = try rig.deck(1, try await film(in: folder), tracks: german, loudspeaker: usual)
    var readiness = try await rig.ready()
    var (apart, late): ([Double], [Double]) = ([], [])
    for number in 0..<8 as Range<UInt32> {
      if number > 0 {
        deck.pause()
        deck.seek(to: .milliseconds(Int(number) * 2000 + 400), .exact, rate: 1, seek: number, preview: true)
        readiness = try await rig.next {
          if case .deck(_, .seekFinished(seek: number, let readiness)) = $0 { readiness } else { nil }
        }
      }
      let base = rig.now + .milliseconds(60)
      deck.play(base: base - readiness.firstRunningTime)
      // The next whole second of the film.
      let second = Duration.seconds(readiness.firstPosition.components.seconds + 1)
      let due = base + (second - readiness.firstPosition)
      for recorder in [recorders.0, recorders.1] { try await recorder.has(until: due + .milliseconds(250)) }
      let heard = try [recorders.0, recorders.1].map { recorder in
        let begins = recorder.sounds(gap: 4800).map { recorder.instant(ofSample: $0.lowerBound) }
        return try #require(begins.min { abs(($0 - due).inSeconds) < abs(($1 - due).inSeconds) }, "nothing was heard")
      }
      apart.append((heard[1] - heard[0]).inMilliseconds)
      late.append((heard[1] - due).inMilliseconds)
      let levels = [recorders.0, recorders.1].map { $0.level(due + .milliseconds(60), due + .milliseconds(140)) }
      #expect(levels[0] > 2 * levels[1] && levels[1] > 4000, "\(levels)")
    }
    print("headset after loudspeaker: \(apart) ms; headset after its time: \(late) ms")
    for value in apart { #expect(abs(value) < 20, "\(apart)") }
    for value in late { #expect(abs(value) < 40, "\(late)") }
    deck.drop()
    rig.output.close()
  }

  @Test("An absent headset changes nothing at the loudspeaker; once plugged in it is heard")
  func absent() async throws {
    let server = try SoundServer()
    try await server.start()
    let recorder = try server.record()
    func plug() async throws {
      let outcome = try await Tool.run(
        "pactl", ["load-module", "module-null-sink", "sink_name=handset", "rate=48000", "channels=2", "norewinds=1"],
        environment: server.environment)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let settings = SoundSettings(
      device: .pulse(sink: "speaker"), headset: .pulse(sink: "handset"), pulseServer: server.address)
    let rig = try await SoundRig(sound: settings)
    let off = try await rig.next { if case .output(.headset(.off(let error))) = $0 { error } else { nil } }
    #expect(off.number == 5302)
    try await recorder.has(until: rig.now + SoundPacePolicy().settling)
    let folder = try TemporaryDirectory()
    let deck = try rig.deck(1, try await film(in: folder), tracks: german, loudspeaker: usual)
    let readiness = try await rig.ready()
    let base = rig.now + .milliseconds(60) - readiness.firstRunningTime
    deck.play(base: base)
    try await recorder.has(until: base + .milliseconds(1300))
    #expect(recorder.level(base + .milliseconds(1060), base + .milliseconds(1140)) > 8000)
    try await plug()
    _ = try await rig.next { if case .output(.headset(.on)) = $0 { true } else { nil } }
    let ear = try server.record("handset")
    let since = rig.now
    try await ear.has(until: since + .milliseconds(2300))
    let level = ear.level(since + .milliseconds(300), since + .milliseconds(2300))
    #expect(level > 4000 && level < 10_000, "\(level)")
    deck.drop()
    rig.output.close()
  }
}
