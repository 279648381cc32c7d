public import PlaybackCore

/// A request to a server.
public struct StoreRequest: Hashable, Sendable {
  /// The number of the transfer; each request has a new one.
  public var transfer: Int
  public var uri: String
  /// The first byte wanted; nil for the whole file.
  public var from: Int64?
  /// The version that a partial file has (If-Range): of another version the server sends the whole.
  public var onlyOf: String?
  /// The version of the copy (If-None-Match, If-Modified-Since): the server sends no body if it still has that version.
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

/// A server's answer before the body.
public struct ResponseHead: Hashable, Sendable {
  public var status: Int
  /// Length of the body that follows; nil when the server doesn't say.
  public var contentLength: Int64?
  /// Whether the end of the body can be told from a broken connection.
  public var hasEnd: Bool
  /// The header as it was received.
  public var contentRange: String?
  public var contentType: String?
  public var contentEncoding: String?
  public var etag: String?
  public var lastModified: String?
  public var retryAfter: Duration?
  /// The target of a redirect, as an absolute address.
  public var location: String?
  /// The reach of the farthest server that answered or redirected.
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

/// A Content-Range header, such as `bytes 100-199/1000`.
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

/// The verdict on a response. Depends on the head and the request alone.
enum ResponseVerdict: Hashable, Sendable {
  /// The copy is still the server's version.
  case unchanged
  /// The body continues the partial file; `length` is that of the whole file.
  case append(length: Int64)
  /// The body is the whole file, from its first byte.
  case whole(length: Int64?)
  /// The answer doesn't continue the partial file: the file has to be requested from its start.
  case beginAgain
  case redirect(String)
  case refused(StoreFailure)

  /// - Parameters:
  ///   - partial: the partial file, where the request asked for the rest of it.
  ///   - copy: the whole file, where the request asked whether it has changed.
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
    // The partial file is as long as the server's file, or longer.
    case 416 where request.from != nil: return .beginAgain
    case 511: return .refused(.page)
    default: return .refused(.status(head.status, retryAfter: head.retryAfter))
    }
  }

  private static func whole(_ head: ResponseHead, wanted: WantedFile, copy: StoredFile?) -> ResponseVerdict {
    if let refusal = refusal(of: head, wanted: wanted) { return .refused(refusal) }
    // A server that ignores the conditions sends the whole file; without a version in its answer, the lengths are
    // compared.
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
    // Some servers send a part of a new version in spite of If-Range.
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
    // Without a length and a visible end, a truncated file would pass for a whole one.
    if !head.hasEnd, wanted.sha256 == nil { return .noLength }
    return nil
  }
}
