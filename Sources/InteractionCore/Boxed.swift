/// A value in memory of its own. A large and rare part of a value that is copied with each touch is held so: the copy is
/// one pointer.
@dynamicMemberLookup
public struct Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
  private indirect enum Box: Hashable, Sendable {
    case value(Value)
  }

  private var box: Box

  public init(_ value: Value) { box = .value(value) }

  public var value: Value {
    get {
      switch box {
      case .value(let value): value
      }
    }
    set { box = .value(newValue) }
  }

  public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Part {
    get { value[keyPath: path] }
    set { value[keyPath: path] = newValue }
  }
}
