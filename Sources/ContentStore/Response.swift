public import PlaybackCore

/// What a server is asked for.
public struct StoreRequest: Hashable, Sendable {
  /// Tells a transfer from the ones before it.
  public var transfer: Int
  public var uri: String
  /// The first byte wanted; nil is the whole file.
  public var from: Int64?
  /// The rest only of this version (If-Range); otherwise the whole.
  public var onlyOf: String?
  /// Nothing if it is still this version (If-None-Match, If-Modified-Since).
  public var unlessETag: String?
  public var unlessSince: String?

  public init(
    transfer: Int, uri: String, from: Int64? = nil, onlyOf: String? = nil, unlessETag: String? = nil,
    unlessSince: String? = nil
  ) {
    self.transfer = transfer
    self.uri = uri
    self.from = from
    self.onlyOf = onlyOf
    self.unlessETag = unlessETag
    self.unlessSince = unlessSince
  }
}

/// What a server says before the body.
public struct ResponseHead: Hashable, Sendable {
  public var status: Int
  /// Of the body that follows; nil when it isn't told.
  public var contentLength: Int64?
  /// Whether the end of the body can be told from a connection that broke off.
  public var hasEnd: Bool
  /// The header as it came.
  public var contentRange: String?
  public var contentType: String?
  public var contentEncoding: String?
  public var etag: String?
  public var lastModified: String?
  public var retryAfter: Duration?
  /// Where a redirect leads; absolute.
  public var location: String?
  /// Of the farthest server that had a say in the answer.
  public var reach: NetworkReach?

  public init(
    status: Int, contentLength: Int64? = nil, hasEnd: Bool = true, contentRange: String? = nil,
    contentType: String? = nil, contentEncoding: String? = nil, etag: String? = nil, lastModified: String? = nil,
    retryAfter: Duration? = nil, location: String? = nil, reach: NetworkReach? = nil
  ) {
    self.status = status
    self.contentLength = contentLength
    self.hasEnd = hasEnd || contentLength != nil
    self.contentRange = contentRange
    self.contentType = contentType
    self.contentEncoding = contentEncoding
    self.etag = etag
    self.lastModified = lastModified
    self.retryAfter = retryAfter
    self.location = location
    self.reach = reach
  }
}

/// `bytes 100-199/1000`
struct ContentRange: Hashable, Sendable {
  var first: Int64
  var last: Int64
  /// Nil for `*`.
  var total: Int64?

  init?(_ header: String?) {
    guard let header, header.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = header.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    let ends = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first >= 0,
      last >= first
    else { return nil }
    total = Int64(parts[1])
    guard total != nil || parts[1] == "*", total ?? .max > last else { return nil }
    self.first = first
    self.last = last
  }
}

/// What becomes of a response. A table without a memory: the same for the same head and the same request.
enum ResponseVerdict: Hashable, Sendable {
  /// The copy is still what the server has.
  case unchanged
  /// The body goes on where the partial file ends; the whole has so many bytes.
  case append(length: Int64)
  /// The body is the whole file, from its first byte.
  case whole(length: Int64?)
  /// What came doesn't go with the partial file: it has to be begun anew.
  case beginAgain
  case redirect(String)
  case refused(StoreFailure)

  /// - Parameters:
  ///   - partial: the file that was to be gone on with, where the request said so.
  ///   - copy: the file that was asked about, where the request said so.
  static func of(
    _ head: ResponseHead, to request: StoreRequest, wanted: WantedFile, partial: StoredFile?, copy: StoredFile?
  ) -> ResponseVerdict {
    switch head.status {
    case 304: return copy == nil ? .refused(.status(304, retryAfter: nil)) : .unchanged
    case 200: return whole(head, wanted: wanted, copy: copy)
    case 206: return part(head, request: request, wanted: wanted, partial: partial)
    case 301, 302, 303, 307, 308:
      guard let location = head.location else { return .refused(.status(head.status, retryAfter: nil)) }
      return .redirect(location)
    // What there is already is as long as the file, or longer.
    case 416 where request.from != nil: return .beginAgain
    case 511: return .refused(.page)
    default: return .refused(.status(head.status, retryAfter: head.retryAfter))
    }
  }

  private static func whole(_ head: ResponseHead, wanted: WantedFile, copy: StoredFile?) -> ResponseVerdict {
    if let refusal = refusal(of: head, wanted: wanted) { return .refused(refusal) }
    // A server that doesn't know conditions sends it all again; one without versions leaves the length to go by.
    if let copy, let length = head.contentLength, length == copy.length {
      if let etag = head.etag, let old = copy.etag {
        if etag == old { return .unchanged }
      } else if head.lastModified == copy.lastModified {
        return .unchanged
      }
    }
    return .whole(length: head.contentLength)
  }

  private static func part(
    _ head: ResponseHead, request: StoreRequest, wanted: WantedFile, partial: StoredFile?
  ) -> ResponseVerdict {
    guard let from = request.from, let partial, let range = ContentRange(head.contentRange), let total = range.total
    else { return .beginAgain }
    guard total <= StoredFile.largestNumber else { return .refused(.wrongLength) }
    if let refusal = refusal(of: head, wanted: wanted) { return .refused(refusal) }
    // Servers are known to send a part of a new version in spite of If-Range.
    let isSame =
      range.first == from && range.last == total - 1 && (partial.length == nil || partial.length == total)
      && (head.etag == nil || partial.etag == nil || head.etag == partial.etag)
      && (head.lastModified == nil || partial.lastModified == nil || head.lastModified == partial.lastModified)
    return isSame ? .append(length: total) : .beginAgain
  }

  private static func refusal(of head: ResponseHead, wanted: WantedFile) -> StoreFailure? {
    if ContentCheck.isPage(contentType: head.contentType, wanted.kind) { return .page }
    if let encoding = head.contentEncoding, encoding.lowercased() != "identity" { return .encoded }
    if head.contentLength == 0 { return .empty }
    if let length = head.contentLength, !(0...StoredFile.largestNumber).contains(length) { return .wrongLength }
    // Without a length, and without an end that can be seen, a cut file would pass for a whole one.
    if !head.hasEnd, wanted.sha256 == nil { return .noLength }
    return nil
  }
}
