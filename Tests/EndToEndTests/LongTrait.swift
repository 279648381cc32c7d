import KioskTestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// For a test that takes a minute or more: it runs with `make test-long`, which finds its suite by this name.
  static var long: Self { .enabled(if: Board.isLong, "takes a minute or more; make test-long runs it") }
}
