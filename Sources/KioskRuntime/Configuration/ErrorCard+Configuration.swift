internal import InteractionCore
internal import PlaylistConfig

extension ErrorCard {
  /// Nothing can be played, and nothing was ever kept: the screen says where the fault is, and how to reach the board.
  static func configurationErrors(_ problems: [String]) -> ErrorCard {
    ErrorCard(
      number: ErrorNumber.configurationInvalid.rawValue, headline: "The configuration can't be used",
      body: problems.prefix(3).joined(separator: "\n"),
      footer: ([HostName.text] + HostAddresses.all).joined(separator: "  "))
  }
}
