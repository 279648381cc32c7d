internal import ConfigurationFiles
internal import Logging
internal import MainLoop
internal import PlaylistConfig

/// The shell around USB sticks: notices that one is mounted or gone, and copies what is to be copied. What is taken from a
/// stick is decided where files are read (`ConfigurationReader`). Confined to the loop's thread.
final class StickSession {
  /// Sticks have come or gone, or a copy is done: the files are to be read again.
  var onChange: ((String) -> Void)?
  /// For whoever plugged the stick in.
  var onMessage: ((String) -> Void)?

  private let copies: StickStore?
  private let loop: EventLoop
  private let log: Logger
  private let worker = BlockingWorker()
  private var mailbox: Mailbox<Result<StickContent, Failure>>?
  private var settings = USBSettings()
  private var watches: (folder: DirectoryWatch?, mounts: MountWatch?)
  /// What is being copied.
  private var copying: StickContent?
  /// What couldn't be copied: it isn't tried again while the stick stays.
  private var failed: StickContent?
  /// What has been said already.
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

  /// Acts on what was read last.
  func follow(_ revision: ConfigurationRevision) {
    if revision.usb != settings {
      settings = revision.usb
      watch()
    }
    for remark in revision.stickRemarks where !remarks.contains(remark) {
      log.error("USB stick: \(remark)")
      onMessage?("The USB stick can't be used: \(remark)")
    }
    remarks = revision.stickRemarks
    guard let content = revision.contentToCopy else { return failed = nil }
    copy(content)
  }

  /// Once a configuration is confirmed: what is copied and neither in use nor named by it goes.
  func keepOnly(_ sources: [String]) {
    guard let copies, settings.mode == .copy else { return }
    // Behind a copy that is on its way, which it must not disturb.
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
    onMessage?("Copying from the USB stick. Please leave it plugged in.")
    worker.submit { [mailbox] in
      do throws(StickStore.CopyError) {
        try copies.takeContent(content)
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
      onMessage?("The USB stick is copied and can be taken out.")
      onChange?(Self.name(of: content))
    case .failure(let failure):
      failed = failure.content
      log.error("USB stick: \(Self.name(of: failure.content)) isn't copied: \(failure.error)")
      onMessage?("The USB stick wasn't copied: \(failure.error)")
    }
  }

  private static func name(of content: StickContent) -> String { (content.folder ?? content.stick).text }
}
