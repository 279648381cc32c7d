import PlaybackCore
import Testing

@Suite("Time text (S7)")
struct TimeTextTests {
  @Test(
    "A time is HH:mm:ss, and two dashes while unknown",
    arguments: [
      (nil, " -- "),
      (.zero, "00:00:00"),
      (.milliseconds(999), "00:00:00"),
      (.seconds(59), "00:00:59"),
      (.seconds(60), "00:01:00"),
      (.seconds(3599), "00:59:59"),
      (.seconds(3600), "01:00:00"),
      (.seconds(359_999), "99:59:59"),
      (.seconds(360_000), "100:00:00"),
      (.seconds(-1), "00:00:00"),
      (.milliseconds(-1), "00:00:00"),
      (.seconds(Int64.max), "2562047788015215:30:07"),
    ] as [(Duration?, String)])
  func single(time: Duration?, expected: String) {
    #expect(TimeText.text(time) == expected)
  }

  @Test(
    "Position and duration stand around a slash",
    arguments: [
      (.seconds(83), .seconds(596), "00:01:23 / 00:09:56"),
      (nil, .seconds(596), " -- / 00:09:56"),
      (.seconds(83), nil, "00:01:23 / -- "),
      (nil, nil, " -- / -- "),
    ] as [(Duration?, Duration?, String)])
  func pair(position: Duration?, duration: Duration?, expected: String) {
    #expect(TimeText.text(position: position, duration: duration) == expected)
  }
}
