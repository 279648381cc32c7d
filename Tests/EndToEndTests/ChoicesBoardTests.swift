import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A visitor puts captions on and changes their look on the panel of choices: by a finger, and by keys alone, as the
/// card composes the picture.
@Suite(
  "The panel of choices on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ChoicesBoardTests {
  private static let screen = PixelSize(width: 1280, height: 720)
  /// KEY_C, KEY_RIGHT, KEY_DOWN, KEY_ENTER and KEY_ESC of linux/input-event-codes.h.
  private static let (open, right, down, enter, escape) = (46, 106, 108, 28, 1)
  private static let grid = OverlayRenderer().choiceGrid(screen: screen)
  /// As the player lists them for a film with captions in two languages, and without sound.
  private static let list = ChoiceList(
    ["en", "de"].map { MediaTrack(id: $0, kind: .text, language: $0) }, VisitorChoices(), hasSound: false,
    hasHighContrast: false)

  private static func middle(_ area: OverlayTargets.Area) -> String {
    "\(Int(area.x + area.width / 2)) \(Int(area.y + area.height / 2))"
  }

  private static func area(_ choice: Choice) throws -> OverlayTargets.Area {
    grid.area(of: try #require(list.place(of: choice)), in: list, at: 0)
  }

  /// The button on the bar of that film.
  private static func button() throws -> OverlayTargets.Area {
    var bar = TransportBar(title: "film", position: .zero, duration: .seconds(60))
    bar.buttons = [.playPause, .captions, .choices]
    return try #require(OverlayRenderer().targets(of: bar, screen: screen).buttons[.choices])
  }

  /// Starts a loop that is black, and a grey film with captions, with a touchscreen at descriptor 3.
  private static let start = """
    film() { ffmpeg -v error -f lavfi -i color=$1:s=640x360:r=25:d=60 -c:v libx264 -preset ultrafast /tmp/$2.mp4; }
    film black loop; film gray film
    for language in en de; do
      printf '1\\n00:00:00,000 --> 00:01:00,000\\nHHHHHH\\n' > /tmp/film.$language.srt
    done
    cat > /tmp/vitrine.toml <<'END'
    version = 1
    [display]
    output = "kms"
    mode = "1280x720"
    [audio]
    enabled = false
    [control]
    socket = "/tmp/control"
    [attract]
    visitors = "films"
    return = "at-once"
    idle_timeout = 25
    countdown = 0
    [[playlist.main.item]]
    uri = "/tmp/loop.mp4"
    [[playlist.films.item]]
    uri = "/tmp/film.mp4"
    END
    \(Board.touchscreen())
    "$VITRINE" run -v --config /tmp/vitrine.toml 2> /run/out/log 3>&- & player=$!
    shot() { kms-screenshot /run/out/$1.ppm; }
    tap() { printf 'down 0 %s %s\\nsleep 60\\nup 0\\n' $1 $2 >&3; sleep 1.5; }
    key() { printf 'key %s\\n' $1 >&3; sleep 1.5; }
    sleep 4

    """

  /// The height of the white letters beside the panel, above the bar; nil without letters.
  private static func letters(_ shot: Pixels?) -> Int? {
    guard let shot else { return nil }
    let rows = (0..<screen.height).filter { y in
      (100..<Int(grid.area.x) - 10).count { shot.isNear($0, y, (255, 255, 255), within: 12) } > 20
    }
    guard let first = rows.first, let last = rows.last else { return nil }
    return last - first + 1
  }

  /// Whether a point is of the panel's ground, over the grey film.
  private static func hasPanel(_ shot: Pixels?) -> Bool {
    let panel = grid.panel(of: list.lines.count)
    return [4, panel.width - 5].allSatisfy { across in
      shot?.isNear(Int(panel.x + across), Int(panel.y + panel.height / 2), (0x17, 0x17, 0x1A), within: 10) == true
    }
  }

  @Test("A finger opens the panel, puts captions on and makes them larger; the next visitor finds none, of usual size")
  func finger() async throws {
    let run = try await Board.run(
      """
      \(Self.start)
      tap 640 300; shot film
      tap 640 300; tap 640 300; tap \(Self.middle(Self.button())); shot panel
      tap \(Self.middle(Self.area(.captions(.language(#require(LanguageTag("en"))))))); shot on
      tap \(Self.middle(Self.area(.size(.larger)))); shot larger
      tap \(Self.middle(Self.area(.ground(.box)))); shot box
      tap 200 300; sleep 5; shot closed
      sleep 26; shot loop
      tap 640 300; sleep 5; shot next
      "$VITRINE" ctl captions on --socket /tmp/control; sleep 4; shot usual
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 250)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let names = ["film", "panel", "on", "larger", "box", "closed", "loop", "next", "usual"]
    let shots = try await run.pictures(names)
    for name in ["panel", "on", "larger", "box"] { #expect(Self.hasPanel(shots[name]), "\(name)") }
    for name in ["film", "closed", "loop", "next", "usual"] { #expect(!Self.hasPanel(shots[name]), "\(name)") }
    #expect(Self.letters(shots["panel"]) == nil && Self.letters(shots["next"]) == nil)
    #expect(shots["loop"]?.isNear(640, 300, (0, 0, 0), within: 4) == true)
    let (on, usual) = (try #require(Self.letters(shots["on"])), try #require(Self.letters(shots["usual"])))
    let (larger, closed) = (try #require(Self.letters(shots["larger"])), try #require(Self.letters(shots["closed"])))
    #expect(abs(on - usual) <= 1 && abs(larger - 2 * on) <= 2 && abs(closed - larger) <= 1)
    // The box is a fifth of the film's grey, between the letters.
    let dark = try #require(shots["closed"])
    let boxed = (0..<Self.screen.height).contains { y in
      (500..<780).count { dark.isNear($0, y, (26, 26, 26), within: 8) } > 20
    }
    #expect(boxed)
  }

  @Test("Keys alone: a key opens the panel, arrows move a ring that can be seen, OK chooses, Esc closes")
  func keys() async throws {
    let run = try await Board.run(
      """
      \(Self.start)
      key \(Self.right); key \(Self.open); shot panel
      key \(Self.down); shot first
      key \(Self.down); shot second
      key \(Self.enter); shot on
      key \(Self.down); key \(Self.down); key \(Self.enter); shot large
      key \(Self.escape); sleep 4; shot closed
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 150)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let shots = try await run.pictures(["panel", "first", "second", "on", "large", "closed"])
    /// The cell around which the ring is, by its colour to the left and right of the cell's middle.
    func ring(_ name: String) throws -> [Choice] {
      let shot = try #require(shots[name])
      return Self.list.places.map { Self.list[$0].choice }.filter { choice in
        guard let area = try? Self.area(choice) else { return false }
        let y = Int(area.y + area.height / 2)
        return [(area.x, -1), (area.x + area.width, 1)].allSatisfy { edge, way in
          (1...8).contains { shot.isNear(Int(edge) + way * $0, y, (0xFF, 0xC2, 0x4B), within: 12) }
        }
      }
    }
    #expect(Self.hasPanel(shots["panel"]) && Self.hasPanel(shots["large"]) && !Self.hasPanel(shots["closed"]))
    #expect(try ring("panel") == [] && ring("first") == [.captions(.off)])
    #expect(try ring("second") == [.captions(.language(#require(LanguageTag("en"))))])
    // The lines of three cells: the ring is in the middle.
    #expect(try ring("large") == [.size(.large)])
    #expect(Self.letters(shots["second"]) == nil)
    let (on, large) = (try #require(Self.letters(shots["on"])), try #require(Self.letters(shots["large"])))
    #expect(abs(2 * large - 3 * on) <= 3 && Self.letters(shots["closed"]) == large)
  }
}
