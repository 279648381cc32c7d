/// Keeps open files beyond the end of this process, for the next one: the supervisor or the service manager.
public protocol DescriptorStore: Sendable {
  /// Keeps a duplicate until `forget`, however this process ends.
  func keep(_ descriptor: Int32, as name: String)
  /// Closes, soon, all files that are kept under that name.
  func forget(_ name: String)
}

/// An open file that an earlier process left with the keeper.
public struct KeptFile: Hashable, Sendable {
  public var name: String
  /// Its receiver has to close it.
  public var descriptor: Int32

  public init(name: String, descriptor: Int32) {
    self.name = name
    self.descriptor = descriptor
  }
}

/// The name under which a card or a lease is kept: `card0`, `lease-card0-HDMI-A-1-2` with the lease's number at the
/// end.
enum KeptName: Hashable, Sendable {
  case card(String)
  case lease(card: String, connector: String, id: UInt32)

  var text: String {
    switch self {
    case .card(let card): card
    case .lease(let card, let connector, let id): "lease-\(card)-\(connector)-\(id)"
    }
  }

  /// - Returns: nil for a name of another form.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.first == "lease" else {
      guard parts.count == 1, Self.isCard(text) else { return nil }
      self = .card(text)
      return
    }
    guard parts.count >= 4, Self.isCard(parts[1]), let id = parts.last.flatMap({ UInt32($0) }) else { return nil }
    let connector = parts[2..<(parts.count - 1)].joined(separator: "-")
    guard !connector.isEmpty else { return nil }
    self = .lease(card: parts[1], connector: connector, id: id)
  }

  private static func isCard(_ text: String) -> Bool { text.hasPrefix("card") && UInt32(text.dropFirst(4)) != nil }

  init(card path: String) { self = .card(Self.name(path)) }

  init(lease id: UInt32, of path: String, connector: String) {
    self = .lease(card: Self.name(path), connector: connector, id: id)
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
