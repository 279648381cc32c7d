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
    "Position and duration are joined by a slash",
    arguments: [
      (.seconds(83), .seconds(596), "00:01:23 / 00:09:56"),
      (nil, .seconds(596), " -- / 00:09:56"),
      (.seconds(83), nil, "00:01:23 / -- "),
      (nil, nil, " -- / -- "),
    ] as [(Duration?, Duration?, String)])
  func pair(position: Duration?, duration: Duration?, expected: String) {
    #expect(TimeText.text(position: position, duration: duration) == expected)
  }

  @Test("Short times have minutes and seconds, and hours where either time has some")
  func short() {
    for (time, beside, text) in [
      (.seconds(6), nil, "0:06"), (.seconds(30), .seconds(30), "0:30"), (.milliseconds(59_999), nil, "0:59"),
      (.seconds(600), nil, "10:00"), (.seconds(3599), nil, "59:59"), (.seconds(3600), nil, "1:00:00"),
      (.seconds(6), .seconds(3600), "0:00:06"), (.seconds(-5), nil, "0:00"), (.seconds(360_000), nil, "100:00:00"),
    ] as [(Duration, Duration?, String)] {
      #expect(TimeText.short(time, beside: beside) == text)
    }
    #expect(TimeText.short(nil) == " -- ")
  }
}
