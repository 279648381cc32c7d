import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A visitor chooses a film among tiles: by a finger, and by keys alone, as the card composes the picture.
@Suite(
  "Tiles on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct TilesBoardTests {
  private static let screen = PixelSize(width: 1280, height: 720)
  /// KEY_RIGHT, KEY_ENTER and KEY_BACK of linux/input-event-codes.h.
  private static let (right, enter, back) = (106, 28, 158)

  private static func grid(_ count: Int) -> TileGrid { OverlayRenderer().tileGrid(count: count, screen: screen) }

  private static func middle(of tile: Int, in grid: TileGrid) -> (x: Int, y: Int) {
    let area = grid.area(of: tile)
    return (Int(area.x + area.width / 2), Int(area.y + area.height / 4))
  }

  /// Starts a loop that is white, with films that are red, green and blue, and a touchscreen at descriptor 3.
  private static func start(_ attract: String) -> String {
    """
    film() { ffmpeg -v error -f lavfi -i color=$1:s=640x360:r=25:d=$2 -c:v libx264 -preset ultrafast /tmp/$3.mp4; }
    ffmpeg -v error -f lavfi -i color=white:s=640x360 -frames:v 1 /tmp/white.png
    film white 60 loop; film red 60 red; film green 3 green; film blue 60 blue
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
    layout = "tiles"
    return = "at-once"
    \(attract)
    [[playlist.main.item]]
    uri = "/tmp/loop.mp4"
    [[playlist.films.item]]
    uri = "/tmp/red.mp4"
    title = "The hall"
    [[playlist.films.item]]
    uri = "/tmp/green.mp4"
    title = "The garden"
    [[playlist.films.item]]
    uri = "/tmp/blue.mp4"
    title = "The harbour"
    poster = "white.png"
    END
    \(Board.touchscreen())
    "$VITRINE" run -v --config /tmp/vitrine.toml 2> /run/out/log 3>&- & player=$!
    shot() { kms-screenshot /run/out/$1.ppm; }
    tap() { printf 'down 0 %s %s\\nsleep 60\\nup 0\\n' $1 $2 >&3; }
    sleep 4
    """
  }

  /// The films' colours, as a card shows them after a way through YUV.
  private static let red = (254, 0, 0), green = (0, 128, 0), blue = (0, 0, 254), white = (255, 255, 255)
  /// The loop under the ground of the tiles, of which a fifth is left.
  private static let dimmed = (51, 51, 51)

  @Test("A finger opens the tiles over the loop, starts the film that it touches, and finds the tiles after its end")
  func finger() async throws {
    let grid = Self.grid(3)
    let (second, third) = (Self.middle(of: 1, in: grid), Self.middle(of: 2, in: grid))
    let run = try await Board.run(
      """
      \(Self.start("idle_timeout = 12"))
      ctl() { "$VITRINE" ctl "$@" --socket /tmp/control; }
      shot loop
      tap 700 600; sleep 1; shot tiles
      ctl alert "Leave by stair B" --until 10m; sleep 1; shot alert; ctl alert-end; sleep 0.5
      tap \(second.x) \(second.y); sleep 1.5; shot second
      sleep 4; shot again
      tap \(third.x) \(third.y); sleep 1.5; shot third
      ctl tiles; echo $? > /run/out/code; sleep 1.5; shot asked
      sleep 14; shot gone
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 200)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(try run.text("code") == "0\n")
    let names = ["loop", "tiles", "alert", "second", "again", "third", "asked", "gone"]
    let shots = try await run.pictures(names)
    func shows(_ name: String, _ colour: (Int, Int, Int), x: Int = 20, y: Int = 20) -> Bool {
      shots[name]?.isNear(x, y, colour, within: 8) == true
    }
    #expect(shows("loop", Self.white) && shows("gone", Self.white))
    // An alert lies above the tiles, which go on below it.
    #expect(shows("alert", (0xFF, 0xC2, 0x4B), x: 2, y: 2) && shows("alert", Self.dimmed, x: 20, y: 700))
    for name in ["tiles", "again", "asked"] {
      #expect(shows(name, Self.dimmed), "\(name): \(shots[name]?[20, 20] as Any)")
    }
    #expect(shows("second", Self.green), "\(shots["second"]?[20, 20] as Any)")
    #expect(shows("third", Self.blue), "\(shots["third"]?[20, 20] as Any)")
  }

  @Test(
    "A tile has a picture of its film, or its own poster, made while the loop plays and found again at the next start")
  func posters() async throws {
    let grid = Self.grid(3)
    let run = try await Board.run(
      """
      export STATE_DIRECTORY=/tmp/state; mkdir -p $STATE_DIRECTORY
      \(Self.start("idle_timeout = 60"))
      # The first picture is begun after 20 s, so that a start has the board for itself.
      for i in $(seq 1 90); do [ "$(ls $STATE_DIRECTORY/posters 2> /dev/null | grep -c -v part)" = 3 ] && break; sleep 1; done
      ls $STATE_DIRECTORY/posters > /run/out/kept
      tap 700 600; sleep 2; shot made
      kill -TERM $player; wait $player
      "$VITRINE" run -v --config /tmp/vitrine.toml 2> /run/out/log2 3>&- & player=$!
      sleep 4
      tap 700 600; sleep 2; shot kept
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 300)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(try run.text("kept").split(separator: "\n").count == 3)
    let shots = try await run.pictures(["made", "kept"])
    for name in ["made", "kept"] {
      for (tile, colour) in [Self.red, Self.green, Self.white].enumerated() {
        let (x, y) = Self.middle(of: tile, in: grid)
        #expect(shots[name]?.isNear(x, y, colour, within: 16) == true, "\(name): \(shots[name]?[x, y] as Any)")
      }
    }
  }

  @Test("Keys alone: the first opens the tiles, arrows move a ring, Enter starts the film, Back leads back")
  func keys() async throws {
    let grid = Self.grid(3)
    let run = try await Board.run(
      """
      \(Self.start("idle_timeout = 60"))
      key() { printf 'key %s\\n' $1 >&3; sleep 1; }
      key \(Self.right); shot tiles
      key \(Self.right); shot first
      key \(Self.right); shot second
      key \(Self.enter); sleep 0.5; shot film
      key \(Self.back); sleep 0.5; shot back
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 150)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let shots = try await run.pictures(["tiles", "first", "second", "film", "back"])
    /// The tile around which the ring is, by its colour left of the tile's middle.
    func ring(_ name: String) throws -> [Int] {
      let shot = try #require(shots[name])
      return (0..<3).filter { tile in
        let area = grid.area(of: tile)
        let y = Int(area.y + area.height / 4)
        // The ring of the tile beside is farther away.
        return (4...9).contains { shot.isNear(Int(area.x) - $0, y, (0xFF, 0xC2, 0x4B), within: 12) }
      }
    }
    #expect(try ring("tiles") == [] && ring("first") == [0] && ring("second") == [1])
    #expect(shots["film"]?.isNear(20, 20, Self.green, within: 8) == true, "\(shots["film"]?[20, 20] as Any)")
    // Who comes back finds the ring where it was.
    #expect(try ring("back") == [1])
  }
}
