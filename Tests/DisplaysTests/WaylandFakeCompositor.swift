import Foundation
import KioskTestSupport
import MainLoop

/// A compositor with just enough of the wire format for events that a real one rarely sends: resizing and closing
/// windows, keeping buffers, missing interfaces, protocol errors. Serves one connection, on a thread of its own.
final class FakeCompositor: Sendable {
  /// A request: the kind of its object, its opcode, its arguments as words.
  struct Request: Equatable {
    let kind: String
    let object: UInt32
    let opcode: UInt16
    let words: [UInt32]
  }

  private struct State {
    var client: Int32 = -1
    var kinds: [UInt32: String] = [1: "wl_display"]
    var requests: [Request] = []
  }

  let path: String
  private let globals: [String]
  private let sizeAtStart: (Int32, Int32)?
  private let listener: Int32
  private let state = Locked(State())

  static let allGlobals = ["wl_compositor", "wl_subcompositor", "wl_shm", "xdg_wm_base", "wp_viewporter"]

  /// - Parameter sizeAtStart: the first configure; nil sends none.
  init?(globals: [String] = allGlobals, sizeAtStart: (Int32, Int32)? = (800, 480)) {
    path = "/tmp/vitrine-fake-\(UUID().uuidString)"
    self.globals = globals
    self.sizeAtStart = sizeAtStart
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { [path] in $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { [listener] in
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard bound == 0, listen(listener, 4) == 0 else { return nil }
    Thread.detachNewThread { [self] in serve() }
  }

  /// Ends the connection and the thread.
  func stop() {
    let client = state.withLock { $0.client }
    if client >= 0 { shutdown(client, Int32(SHUT_RDWR)) }
    unlink(path)
  }

  var requests: [Request] { state.withLock { $0.requests } }

  func requests(_ kind: String, _ opcode: UInt16) -> [Request] {
    requests.filter { $0.kind == kind && $0.opcode == opcode }
  }

  /// Waits until the requests of a kind are as many as wanted.
  func wait(_ kind: String, _ opcode: UInt16, count: Int) async throws -> [Request] {
    try? await eventually("\(count) of \(kind)") { requests(kind, opcode).count >= count }
    return requests(kind, opcode)
  }

  // Events.

  func configure(_ width: Int32, _ height: Int32, serial: UInt32) {
    guard let toplevel = object("xdg_toplevel"), let surface = object("xdg_surface") else { return }
    send(toplevel, 0, [UInt32(bitPattern: width), UInt32(bitPattern: height), 0])
    send(surface, 0, [serial])
  }

  func closeWindow() { if let toplevel = object("xdg_toplevel") { send(toplevel, 1, []) } }
  func ping(_ serial: UInt32) { if let shell = object("xdg_wm_base") { send(shell, 0, [serial]) } }
  func release(_ buffer: UInt32) { send(buffer, 0, []) }
  func fail(_ object: UInt32, code: UInt32) { send(1, 0, [object, code] + Self.words("no")) }

  private func object(_ kind: String) -> UInt32? {
    state.withLock { $0.kinds.first { $0.value == kind }?.key }
  }

  private func send(_ object: UInt32, _ opcode: UInt32, _ words: [UInt32]) {
    let message = [object, UInt32(8 + words.count * 4) << 16 | opcode] + words
    let client = state.withLock { $0.client }
    message.withUnsafeBytes { _ = Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// A string in the wire format: length with the final zero, bytes, padding.
  private static func words(_ text: String) -> [UInt32] {
    var bytes = Array(text.utf8) + [0]
    let length = UInt32(bytes.count)
    while bytes.count % 4 != 0 { bytes.append(0) }
    return [length] + bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
  }

  private func serve() {
    let client = accept(listener, nil, nil)
    close(listener)
    guard client >= 0 else { return }
    state.withLock { $0.client = client }
    var input: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      // The kernel closes file descriptors in the messages: this compositor doesn't look at pixels.
      let count = read(client, &chunk, chunk.count)
      guard count > 0 else { break }
      input += chunk[0..<count]
      while input.count >= 8 {
        let header = input.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self).prefix(2)) }
        let size = Int(header[1] >> 16)
        guard size >= 8, input.count >= size else { break }
        let words = input[8..<size].withUnsafeBytes { bytes in
          (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
        }
        input.removeFirst(size)
        handle(header[0], UInt16(truncatingIfNeeded: header[1]), words)
      }
    }
    state.withLock { $0.client = -1 }
    close(client)
  }

  /// The requests that make an object: kind and opcode of the request, kind of the object. Its number is the first
  /// argument.
  private static let makers: [String: String] = [
    "wl_display 0": "wl_callback", "wl_display 1": "wl_registry", "wl_compositor 0": "wl_surface",
    "wl_compositor 1": "wl_region", "wl_subcompositor 1": "wl_subsurface", "wl_shm 0": "wl_shm_pool",
    "wl_shm_pool 0": "wl_buffer", "xdg_wm_base 2": "xdg_surface", "xdg_surface 1": "xdg_toplevel",
    "wp_viewporter 1": "wp_viewport",
  ]

  private func handle(_ object: UInt32, _ opcode: UInt16, _ words: [UInt32]) {
    let kind = state.withLock { $0.kinds[object] ?? "unknown" }
    let made = Self.makers["\(kind) \(opcode)"]
    state.withLock { state in
      if let made, let number = words.first { state.kinds[number] = made }
      // wl_registry.bind: name, interface, version, number.
      if kind == "wl_registry", let name = words.first, let number = words.last {
        state.kinds[number] = globals[Int(name)]
      }
      state.requests.append(Request(kind: kind, object: object, opcode: opcode, words: words))
    }
    switch made {
    case "wl_callback": send(words[0], 0, [0])
    case "wl_registry":
      for (name, global) in globals.enumerated() { send(words[0], 0, [UInt32(name)] + Self.words(global) + [1]) }
    case "xdg_toplevel":
      if let sizeAtStart { configure(sizeAtStart.0, sizeAtStart.1, serial: 1) }
    default: break
    }
  }
}
