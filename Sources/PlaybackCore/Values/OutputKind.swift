/// Where the picture goes.
public enum OutputKind: String, Hashable, Sendable, Codable, CaseIterable {
  case kms
  case wayland
  case headless
}
