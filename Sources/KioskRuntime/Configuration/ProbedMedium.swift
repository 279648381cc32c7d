internal import MediaPipeline
public import PlaybackCore
internal import PlaylistConfig

/// A medium that was opened, and what comes of it for a board.
public struct ProbedMedium: Sendable {
  public var item: MediaItem
  public var facts: MediaFacts
  public var advice: PlayabilityAdvice

  /// Opens a medium. Blocks for as long as `MediaProbe.open` does.
  ///
  /// - Parameters:
  ///   - access: how servers are reached.
  ///   - prober: opens it in another process; nil is this one, for tests.
  /// - Throws: what playing it would fail with.
  public init(
    _ item: MediaItem, for board: PlayabilityAdvice.Board, access: ServerAccess = ServerAccess(),
    by prober: MediaProber?
  ) throws(VitrineError) {
    self.item = item
    if let prober {
      facts = try prober.open(item, access: access)
    } else {
      facts = try MediaProbe.open(item, servers: ServerSetup(access: access))
    }
    advice = PlayabilityAdvice(for: facts, on: board)
  }

  /// What is wrong with it on the board, and what to do; nil where nothing is known to be.
  public func problem(on board: PlayabilityAdvice.Board) -> (message: String, remedy: String)? {
    guard advice.verdict == .tooMuch else { return nil }
    return (
      "is too much for \(board.name)",
      advice.conversion == nil ? "take another film" : "convert it (the command is above)"
    )
  }

  /// What to do about a file that can't be played, besides what the error says; nil where converting it can't help.
  public static func remedy(for problem: VitrineError, _ item: MediaItem, on board: PlayabilityAdvice.Board) -> String?
  {
    // What can't be read, parsed or decoded; but not what takes too long.
    guard (3000..<4100).contains(problem.number), item.kind == .file, let path = path(of: item) else { return nil }
    let conversion = Conversion(unknownOn: board)
    return "or convert it: \(conversion.command(from: path, to: conversion.output(for: path)))"
  }

  /// Of a local file, for other programs; nil for what comes over a network.
  public var path: String? { Self.path(of: item) }

  public static func path(of item: MediaItem) -> String? {
    guard case .path(let path)? = try? MediaAddress.parse(item.uri) else { return nil }
    return String(validating: path.bytes, as: UTF8.self)
  }
}
