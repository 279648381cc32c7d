import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Whole files that GStreamer alone plays only in part, or otherwise than they are meant.
@Suite("Odd files", .serialized)
struct OddFilesTests {
  /// Runs a command in a new folder, `$0`, and gives the folder.
  private func made(_ command: String) async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let outcome = try await Tool.run(
      "sh", ["-c", "cd \"$0\" && set -e; f() { ffmpeg -nostdin -v error \"$@\"; }; \(command)", folder.url.path],
      limit: 120)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return folder
  }

  private func play(_ path: String, _ options: [String] = []) async throws -> Player.Run {
    try await Player.run(["play", "--output", "headless", "--osd", "never"] + options + [path], limit: 60)
  }

  @Test("Joined MP3s play to the end of the last one, and have their full length")
  func joined() async throws {
    let folder = try await made(
      "for i in 1 2 3; do f -f lavfi -i sine=440:d=2 -c:a libmp3lame p$i.mp3; done; cat p1.mp3 p2.mp3 p3.mp3 > joined.mp3"
    )
    let item = try #require(try await play(folder.path("joined.mp3"), ["--no-audio"]).report?.items.first)
    #expect(item.playedSeconds > 5.5 && (item.durationSeconds ?? 0) > 5.5, "\(item)")
    let one = try #require(try await play(folder.path("p1.mp3"), ["--no-audio"]).report?.items.first)
    #expect(one.playedSeconds < 2.5 && abs((one.durationSeconds ?? 0) - 2) < 0.2, "\(one)")
  }

  @Test(
    "Joined streams have the length of all parts, and a seek reaches a later part",
    arguments: ["vob", "mpg", "ts"])
  func joinedStreams(kind: String) async throws {
    let format = ["vob": "-c:v mpeg2video -c:a mp2 -f vob", "mpg": "-c:v mpeg1video -c:a mp2 -f mpeg"][kind]
    let folder = try await made(
      "f -f lavfi -i testsrc=s=320x240:r=25:d=3 -f lavfi -i sine=d=3 \(format ?? "-c:v mpeg2video -c:a mp2") "
        + "-b:v 2M p.\(kind); cat p.\(kind) p.\(kind) p.\(kind) > joined.\(kind)")
    let path = folder.path("joined.\(kind)")
    let whole = try #require(try await play(path, ["--no-audio"]).report)
    #expect(abs((whole.items[0].durationSeconds ?? 0) - 9) < 0.3, "\(whole.items)")
    #expect(whole.framesRendered >= 220, "\(whole.framesRendered)")
    let late = try #require(try await play(path, ["--no-audio", "--start", "7"]).report?.items.first)
    #expect(late.playedSeconds > 1.5 && late.playedSeconds < 2.5, "\(late)")
  }

  @Test("A transport stream that starts with a second of sound has its full length, and a seek finds its place")
  func soundFirst() async throws {
    let folder = try await made(
      "f -f lavfi -i sine=d=6 -itsoffset 1 -f lavfi -i testsrc=s=320x240:r=25:d=5 -map 1 -map 0 -c:v libx264 -g 25 "
        + "-preset ultrafast -pix_fmt yuv420p -c:a mp2 -fps_mode passthrough a.ts")
    let item = try #require(try await play(folder.path("a.ts"), ["--audio-device", "alsa:null"]).report?.items.first)
    #expect(abs((item.durationSeconds ?? 0) - 6) < 0.2, "\(item)")
    let rest = try await play(folder.path("a.ts"), ["--audio-device", "alsa:null", "--start", "4"])
    let late = try #require(rest.report?.items.first)
    #expect(late.playedSeconds > 1.5 && late.playedSeconds < 2.5, "\(late)")
  }

  @Test(
    "WAV with IMA ADPCM and with MP3 plays for its full time",
    arguments: ["adpcm_ima_wav -ac 1", "adpcm_ima_wav -ac 2", "libmp3lame"])
  func wav(codec: String) async throws {
    let folder = try await made("f -f lavfi -i sine=440:d=3 -c:a \(codec) a.wav")
    let item = try #require(try await play(folder.path("a.wav"), ["--no-audio"]).report?.items.first)
    #expect(abs(item.playedSeconds - 3) < 0.3 && abs((item.durationSeconds ?? 0) - 3) < 0.3, "\(item)")
  }

  @Test("Sound or video without a decoder is reported, and the rest plays", arguments: ["sound", "picture"])
  func undecoded(which: String) async throws {
    let folder = try await made(
      "f -f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a libvorbis a.mkv; "
        + "sed 's/V_MPEG4\\/ISO\\/AVC/V_MPEG4\\/ISO\\/XYZ/' a.mkv > picture.mkv; sed 's/A_VORBIS/A_DOLBY4/' a.mkv > sound.mkv"
    )
    let run = try await play(folder.path("\(which).mkv"))
    let report = try #require(run.report)
    #expect(report.errors.map(\.number) == [4004] && report.items[0].status == "played", "\(report.errors)")
    #expect(run.outcome.errors.contains("no decoder for a part of it"))
    #expect((report.items[0].width == 320) == (which == "sound"))
    // With sound off, a missing decoder for it isn't an error.
    let silent = try #require(try await play(folder.path("sound.mkv"), ["--no-audio"]).report)
    #expect(silent.errors.isEmpty)
  }

  /// The colours of a film's middle and of its upper left corner.
  private func colours(_ path: String) async throws -> (middle: [UInt8], corner: [UInt8]) {
    let folder = try TemporaryDirectory()
    let picture = folder.path("shot.png")
    _ = try await play(path, ["--no-audio", "--size", "640x360", "--for", "1", "--snapshot", picture, "--at", "0.5"])
    func pixel(_ x: Int, _ y: Int) async throws -> [UInt8] {
      let raw = folder.path("pixel")
      _ = try await Tool.run(
        "ffmpeg",
        ["-y", "-v", "error", "-i", picture, "-vf", "crop=1:1:\(x):\(y)", "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
      return [UInt8](try Data(contentsOf: URL(filePath: raw)))
    }
    return (try await pixel(320, 180), try await pixel(20, 20))
  }

  @Test("The default one of a container's two video tracks is shown", arguments: [true, false])
  func defaultTrack(isSecond: Bool) async throws {
    let folder = try await made(
      "f -f lavfi -i color=blue:s=320x180:d=2 -f lavfi -i color=red:s=320x180:d=2 -map 0 -map 1 -c:v libx264 -pix_fmt yuv420p "
        + "-disposition:v:0 \(isSecond ? "0" : "default") -disposition:v:1 \(isSecond ? "default" : "0") a.mkv")
    let middle = try await colours(folder.path("a.mkv")).middle
    #expect(isSecond ? middle[0] > 150 : middle[2] > 150, "\(middle)")
  }

  @Test("A stereoscopic film is shown as it is", arguments: ["3", "4"])
  func twoEyes(packing: String) async throws {
    let folder = try await made(
      "f -f lavfi -i color=white:s=640x360:d=1 -c:v libx264 -pix_fmt yuv420p -x264-params frame-packing=\(packing) a.mp4"
    )
    let item = try #require(try await play(folder.path("a.mp4"), ["--no-audio"]).report?.items.first)
    #expect(item.pixelAspect == "1/1" && item.width == 640)
  }

  @Test(
    "A transparent film shows the background",
    arguments: ["libvpx -auto-alt-ref 0 a.webm", "prores_ks -profile:v 4444 -pix_fmt yuva444p10le a.mov"])
  func alpha(codec: String) async throws {
    let source =
      "color=c=red:s=320x180:r=25:d=2,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)':cr='cr(X,Y)':a='if(lt(hypot(X-160,Y-90),60),255,0)'"
    let folder = try await made("f -f lavfi -i \"\(source)\" -c:v \(codec)")
    let (middle, corner) = try await colours(folder.path(codec.hasSuffix("webm") ? "a.webm" : "a.mov"))
    #expect(middle[0] > 150 && middle[1] < 60 && corner.allSatisfy { $0 < 40 }, "\(middle) \(corner)")
  }

  @Test("A folder gives all files that play by name, and reports those it leaves out")
  func folder() async throws {
    let folder = try await made(
      "mkdir d; S='-f lavfi -i testsrc2=s=720x576:r=25:d=0.2'; f $S -c:v mpeg2video -f vob d/dvd.vob; f $S -c:v mpeg2video -f vob d/jvc.mod; "
        + "f $S -c:v dvvideo -pix_fmt yuv420p d/tape.dv; f $S -c:v libx264 -pix_fmt yuv420p -f mov d/x.qt; f $S -c:v mpeg2video d/x.mxf; "
        + "f -f lavfi -i sine=d=1 d/x.aiff; f -f lavfi -i sine=d=1 -c:a libvorbis d/x.mka; echo x > d/readme.txt; echo x > d/offer.docx"
    )
    let run = try await play(folder.path("d"), ["--no-audio"])
    let report = try #require(run.report)
    #expect(report.items.count == 7, "\(report.items.map(\.uri))")
    #expect(run.outcome.errors.contains("left out") && run.outcome.errors.contains("offer.docx"))
    #expect(!run.outcome.errors.contains("readme.txt"))
  }
}
