import Foundation
import KioskTestSupport
import Testing

/// Pictures on a screen of another shape, checked on a screenshot.
@Suite("fit: contain, cover, stretch", .serialized)
struct FitTests {
  private func snapshot(_ fit: String, _ clip: String, size: String) async throws -> Pixels {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      """
      version = 1
      [[playlist.main.item]]
      uri = "\(try await Media.path(clip))"
      duration = 3
      fit = "\(fit)"

      """, as: "vitrine.toml")
    let picture = directory.path("s.png")
    let run = try await Player.run([
      "run", "--config", file, "--output", "headless", "--no-audio", "--size", size, "--osd", "never", "--for", "1",
      "--snapshot", picture, "--at", "0.5",
    ])
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    return try await Pixels(path: picture)
  }

  @Test("A still picture of 640x480 on a square has borders, shows its middle, or is stretched")
  func picture() async throws {
    let clip = "picture-640x480.jpg"
    let contain = try await snapshot("contain", clip, size: "480x480")
    #expect(contain.isNear(240, 20, (0, 0, 0), within: 2) && contain.isNear(240, 460, (0, 0, 0), within: 2))
    let whole = try await Media.frame(0, of: clip, size: (640, 480))
    let cover = try await snapshot("cover", clip, size: "480x480")
    #expect(cover.difference(from: whole.cropped(x: 80, y: 0, width: 480, height: 480)).mean < 3)
    let squeezed = try await Media.frame(0, of: clip, size: (480, 480))
    let stretch = try await snapshot("stretch", clip, size: "480x480")
    #expect(stretch.difference(from: squeezed).mean < 3)
    // The stretched picture differs from the cropped one.
    #expect(stretch.difference(from: cover).mean > 6)
  }

  @Test("A 16:9 film on a 4:3 screen has borders with contain only", arguments: ["contain", "cover", "stretch"])
  func film(fit: String) async throws {
    let shot = try await snapshot(fit, "h264-640x360-30-2s.mp4", size: "640x480")
    let hasBorders = shot.isNear(320, 20, (0, 0, 0), within: 2) && shot.isNear(320, 460, (0, 0, 0), within: 2)
    #expect(hasBorders == (fit == "contain"))
    // The frame's number is drawn over the width of the picture.
    if fit != "cover" { #expect(shot.frameNumber(x: 0, y: fit == "contain" ? 60 : 0, width: 640) != nil) }
  }
}
