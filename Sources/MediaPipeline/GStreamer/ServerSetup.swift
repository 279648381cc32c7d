internal import CGStreamer
internal import CGStreamerShims
internal import CElements
internal import MainLoop
public import PlaybackCore

/// How the network items of one engine reach servers: how long sources wait and retry, which certificates, proxy and
/// credentials they use. Immutable; decks keep the one that they were made with.
///
/// `@unchecked Sendable` holds because the object behind `pointer` has an atomic reference count and never changes
/// after it was made.
public final class ServerSetup: @unchecked Sendable {
  /// Waiting and retrying when a server fails.
  public let source: SourcePolicy
  public let access: ServerAccess
  private let pointer: OpaquePointer

  /// Reads the file of certificates.
  public init(source: SourcePolicy = SourcePolicy(), access: ServerAccess = ServerAccess()) {
    self.source = source
    self.access = access
    var numbers = vit_http_policy(source)
    var rules = vit_http_rules(access)
    pointer = withOptionalCString(access.certificatesFile) { certificates in
      withOptionalCString(access.proxy) { proxy in
        var files = vit_http_access(certificates: certificates, proxy: proxy)
        return vit_servers_new(&numbers, &files, &rules)
      }
    }
  }

  deinit { vit_servers_unref(pointer) }

  /// Applies this setup to all sources that are made for a pipeline from now on, also to those that fetch lists and
  /// keys outside of it.
  func apply(to pipeline: Element) {
    let context = vit_servers_context(pointer)
    gst_element_set_context(pipeline.pointer, context)
    vit_context_unref(context)
  }

  /// The context for `vit_probe`; the caller releases it.
  func makeContext() -> OpaquePointer { vit_servers_context(pointer) }

  /// The setup of sources that were given none.
  static let usual = ServerSetup()

  /// Registers the source's element, with this setup as the default. Call once.
  func register() { _ = vit_http_source_register(pointer) }
}

extension ServerSetup: Hashable {
  public static func == (a: ServerSetup, b: ServerSetup) -> Bool { a.source == b.source && a.access == b.access }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(access)
  }
}

private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  if let text { text.withCString(body) } else { body(nil) }
}

/// The access rules that the sources' callbacks read.
private final class AccessBox: Sendable {
  let access: ServerAccess
  init(_ access: ServerAccess) { self.access = access }

  static func access(behind data: UnsafeMutableRawPointer) -> ServerAccess {
    Unmanaged<AccessBox>.fromOpaque(data).takeUnretainedValue().access
  }
}

extension vit_http_rules {
  /// Rules for what servers may make a source do; `RedirectPolicy` and `ServerAccess` decide.
  fileprivate init(_ access: ServerAccess) {
    self.init(
      authorize: { hop, given, data in
        guard let origin = hop.pointee.origin, let first = given.pointee.origin else { return nil }
        let access = AccessBox.access(behind: data)
        let userInfo = access.redirects.userInfo(given.pointee.userInfo, of: first, for: origin)
        let header = access.authorization(for: origin, userInfo: userInfo, line: FirstLine.read)
        return header.flatMap { g_strdup($0) }
      },
      redirect: { from, to, data in
        guard let origin = from.pointee.origin else { return vit_refusal(.notWeb) }
        return vit_refusal(AccessBox.access(behind: data).redirects.refusal(from: origin, to: to.pointee.origin))
      },
      connection: { farthest, target, data in
        guard let farthest = NetworkReach(rawValue: Int(farthest)), let target = NetworkReach(rawValue: Int(target))
        else { return VIT_REFUSAL_NONE }
        return vit_refusal(AccessBox.access(behind: data).redirects.refusal(from: farthest, to: target))
      },
      data: Unmanaged.passRetained(AccessBox(access)).toOpaque(),
      forget: { Unmanaged<AccessBox>.fromOpaque($0).release() })
  }
}

extension vit_http_policy {
  fileprivate init(_ policy: SourcePolicy) {
    func milliseconds(_ duration: Duration) -> guint { guint(clamping: duration.wholeNanoseconds / 1_000_000) }
    self.init(
      timeout: max(1, milliseconds(policy.timeout) / 1000), first_delay: milliseconds(policy.firstDelay),
      longest_delay: milliseconds(policy.longestDelay), eager_for: milliseconds(policy.eagerFor),
      patience: milliseconds(policy.patience), patience_if_missing: milliseconds(policy.patienceIfMissing),
      patience_if_gone: milliseconds(policy.patienceIfGone),
      jitter: guint(max(0, min(1, policy.jitter)) * 1000))
  }
}

extension vit_part_origins {
  /// The places from which the parts of an adaptive stream in this item may come, whatever the item's name.
  init(of item: MediaItem) {
    let isOfWeb = ["http:", "https:"].contains { item.uri.lowercased().hasPrefix($0) }
    self =
      if item.isAlone { VIT_PARTS_NONE } else if isOfWeb { VIT_PARTS_OF_WEB } else if item.isRemote {
        VIT_PARTS_NONE
      } else { VIT_PARTS_OF_WEB_AND_DISK }
  }
}

extension Element {
  /// Restricts all sources of a pipeline to one item: its own address, and the parts of an adaptive stream. Call before
  /// the pipeline has a source. Any other address that media, lists or servers name is refused with 3008 or 3009.
  func holdSources(to item: MediaItem) {
    vit_hold_sources(pointer, item.uri, vit_part_origins(of: item), guint(item.namedFrom?.rawValue ?? 0))
  }
}

extension vit_refusal {
  init(_ refusal: RedirectPolicy.Refusal?) { self = vit_refusal(rawValue: UInt32(refusal?.rawValue ?? 0)) }
}

extension vit_address {
  /// Nil where the address isn't a web server's.
  fileprivate var origin: WebOrigin? {
    WebOrigin(scheme: String(cString: scheme), host: String(cString: host), port: port > 0 ? Int(port) : nil)
  }
  fileprivate var userInfo: String? { user_info.map { String(cString: $0) } }
}
