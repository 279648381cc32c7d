import Glibc
import PlaybackCore

extension Card {
  /// Opens a card that can drive a screen, for looking at it.
  ///
  /// - Throws: 5001, 5002, 5003 or 5007.
  static func openForScreens(
    _ path: String, by open: (String) throws(DRMFailure) -> Card = { (path) throws(DRMFailure) in try Card(path: path) }
  ) throws(VitrineError) -> Card {
    let card: Card
    do throws(DRMFailure) {
      card = try open(path)
    } catch {
      switch error.code {
      case EACCES, EPERM: throw KMSError.noPermission(path, detail: error.description)
      case EBUSY: throw KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: error.description)
      default: throw KMSError.noCard(path, detail: error.description)
      }
    }
    guard card.hasScreens else { throw KMSError.noCard(path, detail: "the card has no connectors") }
    do throws(DRMFailure) {
      try card.enableAtomic()
    } catch {
      throw KMSError.atomicNotSupported(path, detail: error.description)
    }
    return card
  }

  /// Makes this process master; only one process at a time can be.
  ///
  /// - Throws: 5002 with the name of the present master, if it is visible.
  func becomeMasterOrTell() throws(VitrineError) {
    do throws(DRMFailure) {
      try becomeMaster()
    } catch {
      throw KMSError.cardInUse(path, holders: CardHolder.find(card: path), detail: error.description)
    }
  }

  /// - Throws: 5001 if the card doesn't answer.
  func snapshotOrTell() throws(VitrineError) -> CardSnapshot {
    do throws(DRMFailure) {
      return try snapshot()
    } catch {
      throw KMSError.noCard(path, detail: error.description)
    }
  }
}
