/// Number of pictures that are made of a frame with two fields.
///
/// The two fields were taken at different times, so only `fields` moves as smoothly as it was filmed: 50 pictures a
/// second from 25 frames. It doubles the work that follows; a board's profile can choose `frames` where that is too
/// much.
public enum Deinterlacing: String, Hashable, Sendable, CaseIterable {
  /// One picture of each field.
  case fields
  /// One picture of both fields.
  case frames
}
