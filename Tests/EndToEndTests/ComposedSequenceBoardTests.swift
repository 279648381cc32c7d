import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Compares what the card composes at each vertical blank for a minute, with a moving overlay and without one.
///
/// vkms' checksum is a CRC, and a CRC is linear: where the overlay lies beside the video, the checksums of two
/// pictures that differ in the overlay alone differ (by exclusive or) by a value that depends on the overlay only. So
/// each frame of the video is compared under a moving overlay.
@Suite(
  "Composed pictures on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ComposedSequenceBoardTests {
  /// 848x480 is shown at 60.0005 Hz, the nearest to twice 30 of the small modes.
  private static let blanks = 60 * 60

  @Test(
    "60 s of video compose the same pictures at the same blanks with a moving bar and without one",
    .long)
  func barMoves() async throws {
    let clip = try await Self.wideClip()
    let run = try await Board.run(
      """
      play() { # NAME OSD
        "$VITRINE" play --no-audio --output kms --mode 848x480 --osd "$2" --report "/run/out/$1.json" \\
          "\(clip.path("wide.mp4"))" & player=$!
        sleep 0.3; kms-crc -t 59 > "/run/out/$1"
        wait $player
      }
      play without never
      play with always
      """, limit: 1500)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    for name in ["without", "with"] {
      let report = try #require(try Report.read(run.directory.path("\(name).json")))
      #expect(report.framesRendered == 1800 && report.framesDropped == 0, "\(name)")
    }
    let without = try Self.checksums(run.text("without"))
    let with = try Self.checksums(run.text("with"))
    // 30 different pictures a second, each for two blanks.
    #expect(Set(without).count > 1700)
    let (overlay, shift) = Self.difference(of: with, and: without)
    #expect(overlay.count > Self.blanks - 120, "\(overlay.count), shifted by \(shift)")
    // The difference is the overlay alone and changes four times a second, with the bar. A frame a blank early or late
    // would make a blank of its own.
    let states = Self.runs(overlay)
    print(
      "composed pictures: \(overlay.count) compared, \(states.count) states of the overlay of \(states.min() ?? 0)"
        + " to \(states.max() ?? 0) blanks")
    #expect((200...260).contains(states.count), "\(states)")
    #expect(states.dropFirst().dropLast().allSatisfy { $0 >= 10 }, "\(states)")
  }

  /// 60 s of 640x180, so wide that the bar lies below it.
  private static func wideClip() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    let source = try await Media.path("h264-60s-640x360-30.mp4")
    let text =
      "filesrc location=\(source) ! qtdemux ! h264parse ! avdec_h264 ! videocrop top=20 bottom=160 ! "
      + "x264enc speed-preset=ultrafast ! mp4mux ! filesink location=\(directory.path("wide.mp4"))"
    let made = try await Tool.run("gst-launch-1.0", ["-q"] + text.split(separator: " ").map(String.init), limit: 300)
    try #require(made.status == 0, "\(made.errors)")
    return directory
  }

  /// Reads the output of `kms-crc`, which must miss no blank.
  private static func checksums(_ text: String) throws -> [UInt32] {
    let lines = try text.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return (frame: try #require(words.first.flatMap { Int($0) }), crc: try #require(UInt32(words[1], radix: 16)))
    }
    #expect(zip(lines, lines.dropFirst()).allSatisfy { $1.frame == $0.frame + 1 }, "a checksum is missing")
    return lines.map(\.crc)
  }

  /// The differences at each blank. `b` is shifted against `a` to where they differ least, because the two runs may
  /// have begun some blanks apart.
  private static func difference(of a: [UInt32], and b: [UInt32]) -> (values: [UInt32], shift: Int) {
    let all = (-Self.mostApart...Self.mostApart).map { shift in
      (values: zip(a.dropFirst(max(0, -shift)), b.dropFirst(max(0, shift))).map { $0 ^ $1 }, shift: shift)
    }
    return all.min { runs($0.values).count < runs($1.values).count } ?? ([], 0)
  }

  /// Two seconds of blanks.
  private static let mostApart = 120

  /// Lengths of the runs of equal values.
  private static func runs(_ values: [UInt32]) -> [Int] {
    var lengths: [Int] = []
    var last: UInt32?
    for value in values {
      if value == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
      last = value
    }
    return lengths
  }
}
