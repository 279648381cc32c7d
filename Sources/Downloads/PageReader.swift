public import ContentStore
public import MainLoop
public import PlaybackCore

/// Reads small documents from web servers, whole and into memory. Used on the loop's thread. At most one is under way.
///
/// The rules are those of all downloads: http and https alone, accounts for their own server alone, and redirects
/// neither from TLS into the clear nor from the internet to the local network. An address that a document names
/// counts as a redirect of that document's server.
public final class PageReader {
  public struct Request: Hashable, Sendable {
    public var address: String
    /// The version that is there already (If-None-Match, If-Modified-Since).
    public var etag: String?
    public var lastModified: String?
    /// The document that names the address; nil for an address of the configuration.
    public var referrer: Referrer?

    public init(_ address: String, etag: String? = nil, lastModified: String? = nil, referrer: Referrer? = nil) {
      self.address = address
      self.etag = etag
      self.lastModified = lastModified
      self.referrer = referrer
    }
  }

  /// The origin of a document.
  public struct Referrer: Hashable, Sendable {
    /// Its address after all redirects.
    public var address: String
    /// The reach of the farthest server on the way to it.
    public var reach: NetworkReach?
  }

  public struct Page: Hashable, Sendable {
    public var bytes: [UInt8]
    public var etag: String?
    public var lastModified: String?
    public var place: Referrer
  }

  public enum Answer: Hashable, Sendable {
    case page(Page)
    /// The server still has the version that the request names.
    case unchanged
    /// The document is longer than the limit.
    case tooLong
    case failed(StoreFailure)
  }

  /// The most redirects that are followed: as many as browsers and the store do, or fewer.
  private static let mostHops = 5

  private let session: HTTPSession
  private let loop: EventLoop
  private let worker: BlockingWorker
  private let longest: Int
  private let limit: Duration
  private var mailbox: Mailbox<(Int, String?)>?
  private var current: Reading?
  /// Calls back for an address that isn't asked for.
  private var refusing: EventSource?
  /// Tells the answers of an earlier request from those of the current one.
  private var number = 0

  private struct Reading {
    var request: Request
    /// The address that is asked now, and how many redirects led to it.
    var address: WebAddress
    var uri: String
    var hops = 0
    var transfer: HTTPTransfer?
    var head: ResponseHead?
    var bytes: [UInt8] = []
    var limit: EventSource
    var done: (Answer) -> Void
  }

  /// - Parameters:
  ///   - longest: in bytes; a longer document isn't read.
  ///   - limit: the time for one document, from its first step to its last byte.
  ///   - worker: reads files with passwords.
  public init(_ settings: HTTPSettings, longest: Int, limit: Duration, worker: BlockingWorker, on loop: EventLoop) {
    session = HTTPSession(settings)
    self.loop = loop
    self.worker = worker
    self.longest = longest
    self.limit = limit
    let reference = LoopReference(self, of: loop.executor)
    mailbox = Mailbox(executor: loop.executor) { reference.value?.send($0.0, authorization: $0.1) }
  }

  deinit { current?.transfer?.cancel() }

  /// Reads a document. `done` is called once, later, unless `cancel` comes first. A document that is under way is
  /// abandoned.
  public func read(_ request: Request, then done: @escaping (Answer) -> Void) {
    cancel()
    number += 1
    let mine = number
    let referrer = request.referrer.flatMap { WebAddress($0.address) }
    // What a document names may be relative to it.
    let uri = referrer?.resolve(request.address) ?? request.address
    let redirects = session.settings.access.redirects
    guard let address = WebAddress(uri), (request.referrer == nil) == (referrer == nil),
      referrer.map({ redirects.refusal(from: $0.origin, to: address.origin) == nil }) ?? true
    else { return refuse(done) }
    let limit = loop.after(limit) { [weak self] in self?.end(.failed(.silent), mine) }
    current = Reading(request: request, address: address, uri: uri, limit: limit, done: done)
    if let referrer = request.referrer { session.redirect = (uri, referrer.reach) }
    ask()
  }

  /// Abandons the document that is under way.
  public func cancel() {
    number += 1
    current?.transfer?.cancel()
    (current, refusing) = (nil, nil)
  }

  /// Ends for good.
  public func stop() {
    cancel()
    mailbox?.close()
    mailbox = nil
  }

  private func refuse(_ done: @escaping (Answer) -> Void) {
    refusing = loop.after(.zero) { done(.failed(.unsafeRedirect)) }
  }

  private func ask() {
    guard let current, let mailbox else { return }
    let (settings, address, mine) = (session.settings, current.address, number)
    // Without accounts there is no file to read.
    guard !settings.access.accounts.isEmpty else {
      return send(mine, authorization: settings.authorization(for: address))
    }
    worker.submit { mailbox.post((mine, settings.authorization(for: address))) }
  }

  private func send(_ mine: Int, authorization: String?) {
    guard mine == number, let reading = current else { return }
    let isFirst = reading.hops == 0
    let request = StoreRequest(
      transfer: mine, uri: reading.uri, unlessETag: isFirst ? reading.request.etag : nil,
      unlessSince: isFirst ? reading.request.lastModified : nil)
    let transfer = HTTPTransfer(request, authorization: authorization, in: session, on: loop) { [weak self] event in
      guard let self, number == mine else { return }
      handle(event, mine)
    }
    guard let transfer else { return end(.failed(.unsafeRedirect), mine) }
    current?.transfer = transfer
    transfer.start()
  }

  private func handle(_ event: HTTPTransfer.Event, _ mine: Int) {
    switch event {
    case .head(let head): begin(head, mine)
    case .piece(let piece):
      guard (current?.bytes.count ?? 0) + piece.count <= longest else { return end(.tooLong, mine) }
      current?.bytes += piece
      current?.transfer?.readOn()
    case .end: whole(mine)
    case .failed(let failure): end(.failed(failure), mine)
    }
  }

  private func begin(_ head: ResponseHead, _ mine: Int) {
    guard let reading = current else { return }
    switch head.status {
    case 200:
      guard head.contentEncoding == nil || head.contentEncoding?.lowercased() == "identity" else {
        return end(.failed(.encoded), mine)
      }
      guard head.contentLength ?? 0 <= Int64(longest) else { return end(.tooLong, mine) }
      current?.head = head
      reading.transfer?.readOn()
    case 304 where reading.request.etag != nil || reading.request.lastModified != nil: end(.unchanged, mine)
    case 300..<400: follow(head, mine)
    case let status: end(.failed(.status(status, retryAfter: head.retryAfter)), mine)
    }
  }

  private func follow(_ head: ResponseHead, _ mine: Int) {
    guard let reading = current, let location = head.location else {
      return end(.failed(.status(head.status, retryAfter: nil)), mine)
    }
    guard reading.hops < Self.mostHops else { return end(.failed(.redirectLoop), mine) }
    let redirects = session.settings.access.redirects
    guard let target = WebAddress(location), redirects.refusal(from: reading.address.origin, to: target.origin) == nil
    else { return end(.failed(.unsafeRedirect), mine) }
    reading.transfer?.cancel()
    current?.transfer = nil
    current?.address = target
    current?.uri = location
    current?.hops += 1
    ask()
  }

  private func whole(_ mine: Int) {
    guard let reading = current, let head = reading.head else { return }
    if let length = head.contentLength, length != Int64(reading.bytes.count) {
      return end(.failed(.wrongLength), mine)
    }
    let place = Referrer(address: reading.address.plain, reach: head.reach)
    // A version belongs to the address that is asked first, not to the target of its redirect.
    let isFirst = reading.hops == 0
    end(
      .page(
        Page(
          bytes: reading.bytes, etag: isFirst ? head.etag : nil, lastModified: isFirst ? head.lastModified : nil,
          place: place)), mine)
  }

  private func end(_ answer: Answer, _ mine: Int) {
    guard mine == number, let reading = current else { return }
    cancel()
    reading.done(answer)
  }
}
