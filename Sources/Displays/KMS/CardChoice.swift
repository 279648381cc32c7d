import PlaybackCore

/// Which of the machine's cards are tried, and in which order.
struct CardChoice: Sendable {
  struct Candidate: Hashable, Sendable {
    var card: CardSnapshot
    var plan: DisplayPlan
  }

  /// The best first. Empty when no card can serve the request.
  var candidates: [Candidate] = []
  /// Why the others can't, by path.
  var failures: [(card: String, error: VitrineError)] = []

  /// - Parameter cards: in the order of their numbers, each as it was just read.
  init(among cards: [CardSnapshot], for request: KMSRequest) {
    let named = cards.filter { $0.isNamed(request.card) }
    for card in named {
      switch DisplayPlan.choose(card: card, request: request) {
      case .success(let plan): candidates.append(Candidate(card: card, plan: plan))
      case .failure(let error): failures.append((card.path, error))
      }
    }
    // A stable sort: between equal candidates, the lower number wins.
    candidates = candidates.enumerated().sorted { a, b in
      let (rankA, rankB) = (Self.rank(a.element), Self.rank(b.element))
      return rankA == rankB ? a.offset < b.offset : rankA > rankB
    }.map(\.element)
    if let reason = Self.reason(request: request, all: cards, named: named, candidates) {
      for index in candidates.indices { candidates[index].plan.reasons.insert(reason, at: 0) }
    }
  }

  /// A screen that is surely there counts more than good planes.
  private static func rank(_ candidate: Candidate) -> (Int, Int) {
    (candidate.plan.connector.status == .connected ? 1 : 0, candidate.plan.planes.rank)
  }

  private static func reason(
    request: KMSRequest, all: [CardSnapshot], named: [CardSnapshot], _ candidates: [Candidate]
  ) -> String? {
    guard let first = candidates.first else { return nil }
    let name = first.card.name
    if request.card != KMSRequest.auto { return "\(name): as asked (\(request.card))" }
    guard all.count > 1 else { return "\(name): the only card with connectors" }
    guard candidates.count > 1 else { return "\(name): the only card that can show a picture now" }
    let (best, second) = (rank(first), rank(candidates[1]))
    if best.0 != second.0 { return "\(name): a screen is connected to it" }
    if best.1 != second.1 { return "\(name): its planes serve better than those of \(candidates[1].card.name)" }
    return "\(name): the first of \(candidates.count) that serve equally well"
  }
}

extension CardSnapshot {
  /// Whether `text` names this card; see `KMSRequest.card`.
  func isNamed(_ text: String) -> Bool {
    text == KMSRequest.auto || text == path || text == name || text == device || text == driver
  }
}
