import JSONText
import PlaybackCore
import PlaylistConfig

// The output of `check --probe` on a medium, for people and for programs.

extension MediaFacts {
  /// A line such as `Quicktime, 2.000 s`, then a line for each stream.
  var lines: [String] {
    let length = duration.map { "\(Self.rounded($0.inSeconds)) s" } ?? (isLive ? "live" : nil)
    let outer = [container, length].compactMap(\.self)
    return (outer.isEmpty ? [] : [outer.joined(separator: ", ")]) + streams.map(\.summary)
  }

  static func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
}

extension StreamFacts {
  /// A line such as `video: H.264 (High Profile), level 4.0, 1920x1080, 25 frames/s, 8 bits 4:2:0, by avdec_h264`.
  var summary: String {
    var parts = [codec]
    if let level { parts.append("level \(level)") }
    if let size { parts.append("\(size.width)x\(size.height)") }
    if pixelAspect != .one { parts.append("pixels \(pixelAspect.numerator):\(pixelAspect.denominator)") }
    if let framesPerSecond {
      parts.append("\(Conversion.number(framesPerSecond)) frames/s")
    } else if kind == .video {
      parts.append("frames at no constant rate")
    }
    if bits != nil || chroma != nil {
      parts.append([bits.map { "\($0) bits" }, chroma].compactMap(\.self).joined(separator: " "))
    }
    if transfer != .sdr { parts.append("HDR (\(transfer.rawValue.uppercased()))") }
    if isInterlaced { parts.append("interlaced") }
    if let orientation { parts.append("to be turned (\(orientation))") }
    if let channels { parts.append(Self.name(ofChannels: channels)) }
    if let sampleRate { parts.append("\(Double(sampleRate) / 1000) kHz") }
    if let language { parts.append("language \(language)") }
    if kind != .subtitle, !isRaw {
      parts.append(decoder.map { "by \($0)\(isHardware ? ", hardware" : "")" } ?? "no decoder here")
    }
    return "\(kind.rawValue): \(parts.joined(separator: ", "))"
  }

  private static func name(ofChannels count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    case 6: "5.1"
    case 8: "7.1"
    default: "\(count) channels"
    }
  }

  var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func number(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
    return .object([
      JSONValue.Member("kind", .string(kind.rawValue)),
      JSONValue.Member("codec", .string(codec)),
      JSONValue.Member("format", text(format?.rawValue)),
      JSONValue.Member("profile", text(profile)),
      JSONValue.Member("level", text(level)),
      JSONValue.Member("decoder", text(decoder)),
      JSONValue.Member("hardware", .boolean(isHardware)),
      JSONValue.Member("width", number(size?.width)),
      JSONValue.Member("height", number(size?.height)),
      JSONValue.Member("pixel_aspect", .string("\(pixelAspect.numerator):\(pixelAspect.denominator)")),
      JSONValue.Member("rate", framesPerSecond.map { .number($0) } ?? .null),
      JSONValue.Member("bits", number(bits)),
      JSONValue.Member("chroma", text(chroma)),
      JSONValue.Member("transfer", .string(transfer.rawValue)),
      JSONValue.Member("interlaced", .boolean(isInterlaced)),
      JSONValue.Member("orientation", text(orientation)),
      JSONValue.Member("channels", number(channels)),
      JSONValue.Member("sample_rate", number(sampleRate)),
      JSONValue.Member("language", text(language)),
    ])
  }
}

extension PlayabilityAdvice {
  /// The verdict with its reasons, and the command that converts the medium.
  ///
  /// - Parameter path: the path of a local file; nil where ffmpeg can't read the medium from one.
  func lines(path: String?, board: String) -> [String] {
    let head =
      switch verdict {
      case .plays: "plays in time"
      case .unknown: "not known whether it plays in time"
      case .tooMuch: "too much for \(board)"
      }
    var lines = ["\(head)\(reasons.isEmpty ? "" : ": \(reasons.joined(separator: "; "))")"]
    if let command = command(path: path) { lines += ["convert it:", "  \(command)"] }
    return lines
  }

  func command(path: String?) -> String? {
    guard let path, let conversion else { return nil }
    return conversion.command(from: path, to: conversion.output(for: path))
  }

  func json(path: String?) -> JSONValue {
    .object([
      JSONValue.Member("verdict", .string(verdict.rawValue)),
      JSONValue.Member("reasons", .array(reasons.map { .string($0) })),
      JSONValue.Member("convert", command(path: path).map { .string($0) } ?? .null),
    ])
  }
}
