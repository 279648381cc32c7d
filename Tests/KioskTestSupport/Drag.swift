import Foundation

/// Makes a drag, and reads the seeks that a player logged during it.
public enum Drag {
  /// A straight drag of a finger, 120 times a second for two seconds, as lines for virtual-touch.
  ///
  /// - Parameter place: gives the place on the device for a share of the way, 0...1.
  public static func lines(_ place: (Double) -> (Int, Int)) -> String {
    var lines = ["down 0 \(place(0).0) \(place(0).1)"]
    for step in 1...240 {
      lines.append("sleep \(step % 3 == 0 ? 9 : 8)")
      let (x, y) = place(Double(step) / 240)
      lines.append("move 0 \(x) \(y)")
    }
    return (lines + ["up 0"]).joined(separator: "\n")
  }

  /// The seeks in a log, as `vitrine play -v` writes it.
  public struct Seeks: Sendable {
    public var targets: [Double] = []
    public var kinds: [String] = []
    /// The largest number of seeks under way at a time.
    public var mostInFlight = 0
    /// The number of seeks before the drag's end: the next one is the seek that the drag ends with.
    public var countAtEnd: Int?

    public init(log: String) {
      var inFlight = 0
      for line in log.split(separator: "\n") {
        if line.contains("drag: "), line.contains(" ends, ") { countAtEnd = targets.count }
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "seek"), words.count > place + 2 else { continue }
        if words[place + 2] == "to", words.count > place + 5, let target = Double(words[place + 3]) {
          targets.append(target)
          kinds.append(String(words[place + 5]))
          inFlight += 1
          mostInFlight = max(mostInFlight, inFlight)
        } else if words[place + 2] == "ended:" {
          inFlight -= 1
        }
      }
    }
  }
}
