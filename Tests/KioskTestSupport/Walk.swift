import Foundation

/// A walk of docs/architecture.md.
public struct Walk: Sendable, CustomStringConvertible {
  public struct Step: Sendable {
    let number: Int
    /// `Type.function`
    public let function: String
    /// A step on another thread may come later than the loop's next step.
    let isBeside: Bool
    public var type: Substring { function.prefix { $0 != "." } }
  }
  public let title: String
  /// The number of hops that the title states.
  public let hops: Int
  public let steps: [Step]
  public var description: String { title }

  public init(_ title: String, hops: Int, _ text: some StringProtocol) {
    (self.title, self.hops) = (title, hops)
    steps = String(text).matches(of: #/(\d+)\. `(\w+\.\w+)[^`]*`(.*?)(?=\n\d|\n\n|$)/#.dotMatchesNewlines()).map {
      Step(number: Int($0.1) ?? 0, function: String($0.2), isBeside: $0.3.contains("worker"))
    }
  }

  /// The debugger stops the player some thousand times in the other walks: `make test-long` takes them, too.
  public var isShort: Bool { title.contains("touch") }

  public static let all: [Walk] = {
    let page = Tool.root.appending(path: "docs/architecture.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    // `### A walk: 14 hops`, then as many numbered lines.
    return text.matches(of: #/\#\#\# ([^\n]+): (\d+) hops\n(.*?)(?=\n\#\#)/#.dotMatchesNewlines()).map {
      Walk(String($0.1), hops: Int($0.2) ?? 0, $0.3)
    }
  }()

  /// The first step that isn't as recorded; nil where all are.
  public func missing(in recorded: [(String, String)]) -> String? {
    var place = 0
    var known: Set<Substring> = []
    func isKnown(_ caller: String) -> Bool { caller == "-" || known.contains(caller[...]) }
    for step in steps {
      let name = "\(step.number). `\(step.function)`"
      let calls = recorded.indices[place...].filter { recorded[$0].0 == step.function }
      guard let first = calls.first else { return "\(name) isn't called after step \(step.number - 1)" }
      guard let found = calls.first(where: { known.isEmpty || isKnown(recorded[$0].1) }) else {
        return "\(name) is called by \(recorded[first].1), which is no step before it"
      }
      known.insert(step.type)
      if !step.isBeside { place = found + 1 }
    }
    return nil
  }
}
