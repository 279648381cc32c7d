/// A feature that couldn't be tested on any machine of the tests. docs/board-checklist.md has a command for each.
struct Unproven: Hashable, Sendable {
  var what: String
  /// Numbers of lines in the checklist.
  var lines: [Int]

  var text: String { "\(what) (\(lines.map(String.init).joined(separator: ", ")))" }

  static let list = [
    Unproven(what: "the console that goes without a flash, and the last frame that stays", lines: [2, 7]),
    Unproven(what: "decoding in hardware, and its memory going to a plane without a copy", lines: [1, 4]),
    Unproven(what: "scaling and turning by a plane of real hardware", lines: [3]),
    Unproven(what: "colours and tearing as a real screen shows them", lines: [2]),
    Unproven(what: "a real cable that is pulled, and a screen that goes to sleep", lines: [5, 6]),
    Unproven(what: "CEC with a real television", lines: [6]),
    Unproven(what: "sound that follows a real connector", lines: [5]),
    Unproven(what: "a real driver that cleans up after a player that was killed", lines: [7]),
    Unproven(what: "seats of logind, and consoles that people switch by keys", lines: [8]),
    Unproven(what: "touch above a video that hardware decodes", lines: [4]),
    Unproven(what: "HDR on a screen that shows it", lines: [11]),
    Unproven(what: "what profiles of boards say of decoders: copied memory, forbidden seeks", lines: [1, 4]),
    Unproven(what: "a keyboard on a board's console, behind the picture and after a crash", lines: [8]),
    Unproven(what: "devices that the service may not open, by a kernel with BPF", lines: [9]),
    Unproven(what: "a real screen that changes its refresh rate between two films", lines: [10]),
    Unproven(what: "two screens of one card, a lease of it each", lines: [12]),
    Unproven(what: "a picture that stays on a real screen while its player dies and comes back", lines: [13]),
    Unproven(what: "a real projector that is switched by PJLink", lines: [14]),
    Unproven(what: "a real serial line, and an adapter that is plugged in while the service runs", lines: [15]),
  ]
}
