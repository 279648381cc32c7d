/// Where the picture goes.
public enum OutputKind: String, Hashable, Sendable, CaseIterable {
  case kms
  case wayland
  case headless
}
