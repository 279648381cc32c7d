import InteractionCore
import KioskTestSupport
import PlaybackCore

/// The states of the overlay for golden pictures and tests.
enum States {
  static let playingBar = TransportBar(
    title: "The Great Hall, restored 2019–2024", position: .seconds(83), duration: .seconds(596))
  static let playing = OverlayModel(bar: playingBar)
  static let dragging = OverlayModel(
    bar: TransportBar(
      title: "The Great Hall, restored 2019–2024", position: .seconds(401), duration: .seconds(596),
      bufferedUntil: .seconds(476), isDragged: true))
  /// A drag near the start, where the bubble would cover the title.
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
  static let tilesButton: OverlayModel = {
    var bar = playingBar
    bar.buttons = OverlayButton.allCases
    return OverlayModel(bar: bar)
  }()
  static let message = OverlayModel(message: "New content is ready: 12 items")
  static let error = OverlayModel(
    card: ErrorCard(
      number: 2503, headline: "The server is not answering",
      body: """
        media.example.org sent 503 five times since 14:02.
        Next try in 16 s. The saved copy of the next item starts in 40 s.
        """,
      footer: "booth-03   10.0.4.17   configuration 41"))
  static let longError = OverlayModel(
    card: ErrorCard(
      number: 3101, headline: "This file is damaged and can't be shown to the end, so it is skipped",
      body: .name(longBody), footer: "booth-03.museum.example.org   2001:db8:85a3::8a2e:370:7334   configuration 41"))
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
        .init(.playing, "2 of 14, The Great Hall"), .init(.screen, "HDMI-A-1, 1920 × 1080 at 60 Hz"),
        .init(.frames, "18 204 shown, 0 dropped"), .init(.address, "10.0.4.17, 2001:db8:85a3::8a2e:370:7334"),
        .init(.configuration, "/etc/vitrine/conf.d/50-the-great-hall-in-may.toml, confirmed"),
        .init(.version, "0.4.0, up 12 days"),
      ]))
  static let statusTrouble = OverlayModel(
    status: StatusCard(
      title: "a-board-with-a-long-name.museum.example.org", health: .trouble, rows: [.init(.playing, "nothing")]))
  static let arabic = OverlayModel(
    bar: TransportBar(
      title: "القاعة الكبرى، ترميم 2019–2024", position: .seconds(83), duration: .seconds(596),
      bufferedUntil: .seconds(250)),
    message: "جارٍ إعادة الاتصال")
  private static func withButtons(_ bar: TransportBar, isMuted: Bool = false) -> TransportBar {
    var bar = bar
    bar.buttons = [.previous, .playPause, .next, .mute]
    bar.isMuted = isMuted
    bar.chapters = [.zero, .seconds(131), .seconds(286), .seconds(477)]
    return bar
  }
  static let buttons = OverlayModel(bar: withButtons(playingBar))
  /// A film with captions, which are on, in two languages.
  static let captionsOn: OverlayModel = {
    var bar = withButtons(playingBar)
    bar.buttons = [.previous, .playPause, .next, .captions, .language, .mute]
    bar.hasCaptions = true
    return OverlayModel(bar: bar, message: "Captions: Deutsch")
  }()
  static let captionsOff: OverlayModel = {
    var bar = withButtons(playingBar)
    bar.buttons = [.previous, .playPause, .next, .captions, .language, .mute]
    return OverlayModel(bar: bar, message: "Captions off")
  }()
  /// A film with all buttons, whose audio description is heard.
  static let descriptionOn: OverlayModel = {
    var bar = withButtons(playingBar)
    bar.buttons = OverlayButton.allCases.filter { $0 != .tiles }
    bar.hasDescription = true
    return OverlayModel(bar: bar, message: "Audio description: English")
  }()
  static let signedOn: OverlayModel = {
    var model = descriptionOn
    model.bar?.hasDescription = false
    model.bar?.isSigned = true
    model.message = "Sign language on"
    return model
  }()
  static let descriptionOff: OverlayModel = {
    var bar = withButtons(playingBar)
    bar.buttons = OverlayButton.allCases.filter { $0 != .tiles }
    return OverlayModel(bar: bar, message: "Audio description off")
  }()
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
  static func alert(_ text: String, isInstead: Bool = false, isTest: Bool = false) -> OverlayModel {
    var model = buttons
    model.alerts = [ShownAlert(text, isInstead: isInstead, isTest: isTest)]
    return model
  }
  /// A visit's end: a film that somebody has paused and left, and one that plays on.
  static let countdown: OverlayModel = {
    var model = paused
    model.countdown = CountdownCard(seconds: 7, share: 0.7)
    return model
  }()
  static let countdownAside: OverlayModel = {
    var model = OverlayModel(subtitles: subtitles.subtitles)
    model.countdown = CountdownCard(seconds: 4, share: 0.4, isAside: true)
    return model
  }()
  /// Everything else that stands at the top: it moves below the band.
  static let alertWithOthers: OverlayModel = {
    var model = alert("Leave by stair B")
    model.message = "Muted"
    model.isOffline = true
    model.countdown = CountdownCard(seconds: 4, share: 0.4, isAside: true)
    model.subtitles = [cue("[a door slams]", placement: CuePlacement(line: .row(0), alignment: .left))]
    return model
  }()
  static let alertAbove = alert("Leave by stair B")
  static let alertTest = alert("Please leave the building by stair B and wait at the fountain", isTest: true)
  static let alertInstead: OverlayModel = {
    var model = OverlayModel()
    model.alerts = alert("Leave by stair B", isInstead: true).alerts
    return model
  }()
  static let alertArabic = alert("يرجى مغادرة المبنى عبر الدرج B", isTest: true)
  /// The longest that may be sent.
  static let alertLong = alert(
    String(String(repeating: "Please leave the building by stair B and wait at the fountain. ", count: 6).prefix(300)))
  static let alertsMany: OverlayModel = {
    var model = OverlayModel()
    model.alerts = [
      ShownAlert("Leave by stair B"), ShownAlert("The lift is out of order", isTest: true),
      ShownAlert("The café is closed"),
    ]
    return model
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
  /// The network is gone, and a visitor has touched the screen.
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
  /// All parts that the high-contrast preset changes, except cards.
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
  /// A bar that somebody has touched, in words of the table.
  static func translatedBar(title: String) -> OverlayModel {
    var bar = withButtons(TransportBar(title: title, position: .seconds(83), duration: .seconds(596), isPlaying: false))
    bar.bufferedUntil = .seconds(250)
    var model = OverlayModel(bar: bar, message: VisitorText(.volume, ["percent": .number(60)]), bufferingPercent: 64)
    model.isOffline = true
    return model
  }
  static func translatedError(item: String) -> OverlayModel {
    let error = VitrineError(2503, subject: item, message: "the server is in trouble (HTTP 503)", remedy: "")
    return OverlayModel(
      card: ErrorCard(
        number: error.number, headline: VisitorText(.waitingForNetwork),
        body: .sentences([
          VisitorText(.itemFailed, ["item": .name(item), "error": .text(.error(error))]),
          VisitorText(.nextTry, ["seconds": .number(16)]),
        ]), footer: .names(["booth-03", "10.0.4.17"])))
  }
  static func translatedStatus(item: String) -> OverlayModel {
    let shown = VisitorText(.framesShown, ["shown": .number(18204), "dropped": .number(0)])
    let time = VisitorText(.runningFor, ["version": .name("0.4.0"), "hours": .number(288), "minutes": .number(12)])
    return OverlayModel(
      status: StatusCard(
        title: "booth-03", health: .attention,
        rows: [
          .init(
            .playing,
            .list([VisitorText(.place, ["number": .number(2), "count": .number(14)]), .name(item)])),
          .init(.screen, .name("HDMI-A-1, 1920 × 1080 at 60 Hz")), .init(.frames, shown),
          .init(
            .configuration,
            .list([
              .name("/etc/vitrine/conf.d/50-hall.toml"), VisitorText(.andMore, ["count": .number(2)]),
              VisitorText(.stateRolledBack),
            ])), .init(.mode, VisitorText(.safeMode)),
          .init(.address, .list([.name("10.0.4.17"), .name("10.0.4.18")])),
          .init(.version, time),
        ]))
  }
}
