/// Collects the violated invariants of a value.
///
/// Machines check themselves in debug builds after each event (decision 0105). The
/// check is a function of the value alone, so that a test can call it with a broken value.
package struct Invariants: Sendable {
  /// Names of the violated invariants, in the order in which they are checked.
  package private(set) var violations: [String] = []

  package init() {}

  /// - Parameters:
  ///   - name: the invariant, as a sentence.
  ///   - holds: whether it holds.
  package mutating func check(_ name: String, _ holds: Bool) {
    if !holds { violations.append(name) }
  }

  /// Stops a debug build if an invariant is violated.
  package func enforce(after event: @autoclosure () -> Any, file: StaticString = #fileID, line: UInt = #line) {
    assert(violations.isEmpty, "\(violations) after \(event())", file: file, line: line)
  }
}
