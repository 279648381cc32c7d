/// The kind of output that shows the picture.
public enum OutputKind: String, Hashable, Sendable, Codable, CaseIterable {
  case kms
  case wayland
  case headless
}
