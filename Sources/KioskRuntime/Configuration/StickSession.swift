internal import ConfigurationFiles
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import PlaylistConfig

/// Watches USB sticks, notices when one is mounted or gone, and copies content from it. `ConfigurationReader` decides
/// what a stick may add. Confined to the loop's thread.
final class StickSession {
  /// Called when the files have to be read again: a stick has come or gone, or a copy is done.
  var onChange: ((String) -> Void)?
  /// For whoever plugged the stick in.
  var onMessage: ((VisitorText) -> Void)?

  private let copies: StickStore?
  private let loop: EventLoop
  private let log: Logger
  private let worker = BlockingWorker()
  private var mailbox: Mailbox<Result<StickContent, Failure>>?
  private var settings = USBSettings()
  private var watches: (folder: DirectoryWatch?, mounts: MountWatch?)
  /// The content whose copy is running.
  private var copying: StickContent?
  /// The content whose copy failed: it isn't tried again while the stick stays plugged in.
  private var failed: StickContent?
  /// The remarks that were logged and shown already.
  private var remarks: [String] = []

  private struct Failure: Error {
    var content: StickContent
    var error: StickStore.CopyError
  }

  init(_ copies: StickStore?, on loop: EventLoop, log: Logger) {
    self.copies = copies
    self.loop = loop
    self.log = log
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { result in reference.value?.copied(result) }
  }

  /// Follows the newest reading: watches as the settings say, reports remarks, copies.
  func follow(_ revision: ConfigurationRevision) {
    if revision.usb != settings {
      settings = revision.usb
      watch()
    }
    for remark in revision.stickRemarks where !remarks.contains(remark) {
      log.error("USB stick: \(remark)")
      onMessage?(VisitorText(.stickUnusable, ["reason": .detail(remark)]))
    }
    remarks = revision.stickRemarks
    guard let content = revision.contentToCopy else { return failed = nil }
    copy(content)
  }

  /// Removes the copies that are neither in use nor named by the configuration. Called once it is confirmed.
  func keepOnly(_ sources: [String]) {
    guard let copies, settings.mode == .copy else { return }
    // The worker runs this after a running copy, which it must not disturb.
    worker.submit { copies.removeOthers(keeping: sources) }
  }

  func stop() {
    watches = (nil, nil)
    mailbox?.close()
    worker.finish()
  }

  private func watch() {
    watches = (nil, nil)
    guard settings.mode != .off else { return }
    let folder = settings.folder
    let changed = { [weak self] in
      guard let self else { return }
      onChange?(folder)
    }
    watches = (
      DirectoryWatch([folder], tellsFolders: true, on: loop) { _ in changed() }, MountWatch(on: loop) { changed() }
    )
  }

  private func copy(_ content: StickContent) {
    guard let copies, copying == nil, failed != content else { return }
    copying = content
    log.notice("USB stick: copying \(Self.name(of: content))")
    onMessage?(VisitorText(.stickCopying))
    worker.submit { [mailbox] in
      do throws(StickStore.CopyError) {
        try copies.installContent(content)
        mailbox?.post(.success(content))
      } catch {
        mailbox?.post(.failure(Failure(content: content, error: error)))
      }
    }
  }

  private func copied(_ result: Result<StickContent, Failure>) {
    copying = nil
    switch result {
    case .success(let content):
      log.notice("USB stick: \(Self.name(of: content)) is copied")
      onMessage?(VisitorText(.stickCopied))
      onChange?(Self.name(of: content))
    case .failure(let failure):
      failed = failure.content
      log.error("USB stick: \(Self.name(of: failure.content)) isn't copied: \(failure.error)")
      onMessage?(VisitorText(.stickNotCopied, ["reason": .text(failure.error.visitorText)]))
    }
  }

  private static func name(of content: StickContent) -> String { (content.folder ?? content.stick).text }
}

extension StickStore.CopyError {
  fileprivate var visitorText: VisitorText {
    switch self {
    case .file(let path, let error): .detail("\(path): \(error)")
    case .tooManyFiles: VisitorText(.stickTooManyFiles, ["count": .number(StickStore.fileLimit)])
    case .tooDeep(let path):
      VisitorText(.stickTooDeep, ["path": .name(path), "count": .number(StickStore.depthLimit)])
    case .changed(let path): VisitorText(.stickChanged, ["path": .name(path)])
    case .noRoom(let needed, let free):
      // In MB, as on the box of the stick.
      VisitorText(.stickFull, ["needed": .number(Int(needed >> 20)), "free": .number(Int(free >> 20))])
    }
  }
}
