import InteractionCore
import PlaybackCore

/// The states of the overlay that are looked at and tested.
enum States {
  static let playingBar = TransportBar(
    title: "The Great Hall, restored 2019–2024", position: .seconds(83), duration: .seconds(596))
  static let playing = OverlayModel(bar: playingBar)
  static let dragging = OverlayModel(
    bar: TransportBar(
      title: "The Great Hall, restored 2019–2024", position: .seconds(401), duration: .seconds(596),
      bufferedUntil: .seconds(476), isDragged: true))
  /// Where the bubble would cover the title.
  static let draggingAtStart = OverlayModel(
    bar: TransportBar(
      title: "The Great Hall, restored 2019–2024", position: .seconds(2), duration: .seconds(596), isDragged: true))
  static let draggingArabic = OverlayModel(
    bar: TransportBar(
      title: "القاعة الكبرى، ترميم 2019–2024", position: .seconds(401), duration: .seconds(596), isDragged: true))
  static let unknown = OverlayModel(bar: TransportBar(title: "Opening", position: nil, duration: nil))
  static let paused = OverlayModel(
    bar: TransportBar(
      title: "A walk through the collection of instruments", position: .seconds(401), duration: .seconds(596),
      bufferedUntil: .seconds(480), isPlaying: false))
  static let live = OverlayModel(
    bar: TransportBar(title: "Harbour, live", position: .seconds(48), duration: nil, isLive: true))
  static let buffering = OverlayModel(
    bar: TransportBar(
      title: "Harbour in the morning", position: .seconds(48), duration: .seconds(596), bufferedUntil: .seconds(49)),
    message: "Reconnecting, try 2", bufferingPercent: 64)
  static func cue(_ text: String, spans: [StyleSpan] = [], placement: CuePlacement? = nil) -> SubtitleCue {
    SubtitleCue(start: .zero, end: .seconds(4), text: text, spans: spans, placement: placement)
  }
  static let subtitles = OverlayModel(subtitles: [
    cue("It was late when they came back,\nand nobody had lit the lamps.", spans: [StyleSpan(.italic, bytes: 7..<11)])
  ])
  static let subtitlesAndBar = OverlayModel(
    bar: playingBar,
    subtitles: [
      cue("Did you hear that?"), cue("No. What should I have heard?"),
      cue("[a door slams]", placement: CuePlacement(line: .row(0), alignment: .left)),
    ])
  static let subtitlesArabic = OverlayModel(subtitles: [
    cue("كان الوقت متأخراً عندما عادوا،\nولم يكن أحد قد أضاء المصابيح."),
    cue("مرحباً", placement: CuePlacement(line: .row(0), alignment: .start)),
  ])
  static let message = OverlayModel(message: "New content is ready: 12 items")
  static let error = OverlayModel(
    card: ErrorCard(
      number: 2503, headline: "The server is not answering",
      body: "media.example.org sent 503 five times since 14:02.\n"
        + "Next try in 16 s. The saved copy of the next item starts in 40 s.",
      footer: "booth-03   10.0.4.17   configuration 41"))
  static let longError = OverlayModel(
    card: ErrorCard(
      number: 3101, headline: "This file is damaged and can't be shown to the end, so it is skipped",
      body: longBody, footer: "booth-03.museum.example.org   2001:db8:85a3::8a2e:370:7334   configuration 41"))
  static let longBody =
    "https://media.example.org/exhibitions/2024/the-great-hall/restoration/a-very-long-file-name-without-any-blanks-"
    + "that-has-to-break-somewhere-because-it-is-wider-than-the-card.mkv?signature=0123456789abcdef0123456789abcdef\n"
    + "The container ends after 00:04:12 of 00:09:56, and what follows is not video. This happened three times. "
    + "The next item starts in 5 s; this one is tried again at 15:00 and whenever it changes on the server. "
    + "To mend it, send the file again and compare its checksum with that of the original."
  static let status = OverlayModel(
    status: StatusCard(
      title: "booth-03", health: .healthy,
      rows: [
        .init("Playing", "2 of 14, The Great Hall"), .init("Screen", "HDMI-A-1, 1920 × 1080 at 60 Hz"),
        .init("Frames", "18 204 shown, 0 dropped"), .init("Address", "10.0.4.17, 2001:db8:85a3::8a2e:370:7334"),
        .init("Configuration", "/etc/vitrine/conf.d/50-the-great-hall-in-may.toml, confirmed"),
        .init("Version", "0.4.0, up 12 days"),
      ]))
  static let statusTrouble = OverlayModel(
    status: StatusCard(
      title: "a-board-with-a-long-name.museum.example.org", health: .trouble, rows: [.init("Playing", "nothing")]))
  static let arabic = OverlayModel(
    bar: TransportBar(
      title: "القاعة الكبرى، ترميم 2019–2024", position: .seconds(83), duration: .seconds(596),
      bufferedUntil: .seconds(250)),
    message: "جارٍ إعادة الاتصال")
  private static func withButtons(_ bar: TransportBar, isMuted: Bool = false) -> TransportBar {
    var bar = bar
    bar.buttons = OverlayButton.allCases
    bar.isMuted = isMuted
    bar.chapters = [.zero, .seconds(131), .seconds(286), .seconds(477)]
    return bar
  }
  static let buttons = OverlayModel(bar: withButtons(playingBar))
  static let pausedButtons: OverlayModel = {
    var bar = withButtons(playingBar)
    bar.isPlaying = false
    bar.bufferedUntil = .seconds(250)
    return OverlayModel(bar: bar)
  }()
  static let pausedArabic: OverlayModel = {
    var bar = buttonsArabic.bar ?? playingBar
    bar.isPlaying = false
    return OverlayModel(bar: bar, message: "جارٍ إعادة الاتصال")
  }()
  /// A clip in a booth: short times.
  static let clip: OverlayModel = {
    var bar = withButtons(TransportBar(title: "The Great Hall", position: .seconds(6), duration: .seconds(30)))
    bar.chapters = []
    return OverlayModel(bar: bar)
  }()
  static let buttonsDragging = OverlayModel(
    bar: withButtons(
      TransportBar(
        title: "The Great Hall, restored 2019–2024", position: .seconds(401), duration: .seconds(596),
        bufferedUntil: .seconds(540), isPlaying: false, isDragged: true), isMuted: true))
  static let buttonsArabic = OverlayModel(
    bar: withButtons(
      TransportBar(
        title: "القاعة الكبرى، ترميم 2019–2024", position: .seconds(83), duration: .seconds(596),
        bufferedUntil: .seconds(250))))
  /// Nobody's: the network is gone, and somebody has touched the screen.
  static let offline: OverlayModel = {
    var model = buttons
    model.message = "Reconnecting, try 2"
    model.bufferingPercent = 12
    model.isOffline = true
    return model
  }()
  static let offlineArabic: OverlayModel = {
    var model = arabic
    model.isOffline = true
    return model
  }()
  /// All that the high-contrast preset changes but cards.
  static let contrast: OverlayModel = {
    var model = buttonsDragging
    model.message = "Volume 60 %"
    model.bufferingPercent = 64
    model.isOffline = true
    return model
  }()
  /// Han, kana, hangul and emoji.
  static let manyScripts = OverlayModel(
    bar: {
      var bar = withButtons(
        TransportBar(title: "大広間 修復の記録・대전당 🏛️🎬", position: .seconds(83), duration: .seconds(596), isPlaying: false))
      bar.chapters = []
      return bar
    }(), message: "お待ちください 🙂")
  static let japanese = OverlayModel(
    bar: TransportBar(title: "大広間、修復の記録 2019–2024", position: .seconds(83), duration: .seconds(596)))
}
