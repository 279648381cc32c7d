internal import MediaPipeline
public import PlaybackCore
internal import PlaylistConfig

/// An opened medium, with the judgement whether a board can play it.
public struct ProbedMedium: Sendable {
  public var item: MediaItem
  public var facts: MediaFacts
  public var advice: PlayabilityAdvice

  /// Opens a medium. Blocks for as long as `MediaProbe.open` does.
  ///
  /// - Parameters:
  ///   - access: how servers are reached.
  ///   - prober: opens it in another process; nil opens it in this one, for tests.
  /// - Throws: the error that playing it would fail with.
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

  /// The reason why the board can't play it well, and the remedy; nil where none is known.
  public func problem(on board: PlayabilityAdvice.Board) -> (message: String, remedy: String)? {
    guard advice.verdict == .tooMuch else { return nil }
    return (
      "is too much for \(board.name)",
      advice.conversion == nil ? "take another film" : "convert it (the command is above)"
    )
  }

  /// A further remedy for a file that can't be played: the command that converts it. Nil where converting can't help.
  public static func remedy(for problem: VitrineError, _ item: MediaItem, on board: PlayabilityAdvice.Board) -> String?
  {
    // Errors of reading, parsing and decoding, but no timeouts.
    guard (3000..<4100).contains(problem.number), item.kind == .file, let path = path(of: item) else { return nil }
    let conversion = Conversion(unknownOn: board)
    return "or convert it: \(conversion.command(from: path, to: conversion.output(for: path)))"
  }

  /// The path of a local file, for other programs; nil for a medium from a network.
  public var path: String? { Self.path(of: item) }

  public static func path(of item: MediaItem) -> String? {
    guard case .path(let path)? = try? MediaAddress.parse(item.uri) else { return nil }
    return String(validating: path.bytes, as: UTF8.self)
  }
}
