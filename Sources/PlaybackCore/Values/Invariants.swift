/// Collects what doesn't hold of a value that should.
///
/// Machines check themselves in debug builds after each event (docs/decisions/0105-machines-check-themselves.md). The check is a
/// function of the value alone, so that a test can show it a broken one.
package struct Invariants: Sendable {
  /// Names of those that don't hold, in the order in which they are checked.
  package private(set) var violations: [String] = []

  package init() {}

  /// - Parameters:
  ///   - name: what holds at all times, as a sentence.
  ///   - holds: isn't asked for more than once.
  package mutating func check(_ name: String, _ holds: Bool) {
    if !holds { violations.append(name) }
  }

  /// Stops a debug build where anything doesn't hold.
  package func enforce(after event: @autoclosure () -> Any, file: StaticString = #fileID, line: UInt = #line) {
    assert(violations.isEmpty, "\(violations) after \(event())", file: file, line: line)
  }
}
