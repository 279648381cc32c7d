/// How many pictures are made of a frame that holds two fields.
///
/// Both fields were taken at times of their own, so that only `fields` moves as smoothly as it was filmed: 50 pictures a
/// second out of 25 frames. It costs twice the work behind it; a board's profile can say that it is too much.
public enum Deinterlacing: String, Hashable, Sendable, CaseIterable {
  /// One of each field.
  case fields
  /// One of both.
  case frames
}
