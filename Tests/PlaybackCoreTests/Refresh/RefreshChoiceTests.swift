import PlaybackCore
import Testing

@Suite("Choice of the refresh rate")
struct RefreshChoiceTests {
  /// The rates that a television lists for 1920x1080.
  static let television = [23_976, 24_000, 25_000, 29_970, 30_000, 50_000, 59_940, 60_000]

  /// A screen's rates in mHz, a film's frames per second, and the rate chosen for it.
  struct Row: CustomTestStringConvertible, Sendable {
    var rates: [Int]
    var film: Double
    var chosen: Int
    var fit: RefreshChoice.Fit
    var testDescription: String { "\(film) on \(rates)" }
    init(_ rates: [Int], _ film: Double, _ chosen: Int, _ fit: RefreshChoice.Fit = .exact) {
      (self.rates, self.film, self.chosen, self.fit) = (rates, film, chosen, fit)
    }
  }

  static let rows = [
    Row(television, 24_000 / 1001, 23_976), Row(television, 24, 24_000), Row(television, 25, 50_000),
    Row(television, 30_000 / 1001, 59_940), Row(television, 30, 60_000), Row(television, 50, 50_000),
    Row(television, 60_000 / 1001, 59_940), Row(television, 60, 60_000),
    // Slow films: multiples of the rate fit.
    Row(television, 12.5, 50_000), Row(television, 15, 60_000), Row(television, 1, 60_000), Row(television, 10, 60_000),
    // A rate that is off by a thousandth is used when no better one fits.
    Row([24_000, 60_000], 24_000 / 1001, 24_000, .near), Row([60_000], 30_000 / 1001, 60_000, .near),
    Row([59_940], 60, 59_940, .near), Row([59_880], 30, 59_880, .near),
    // A multiple nearer to the screen's preferred rate comes before the rate itself.
    Row([24_000, 60_000, 72_000], 24, 72_000), Row([24_000, 60_000, 120_000], 24, 24_000),
    Row([60_000, 120_000], 24, 120_000),
    // No rate fits: the screen's own rate, at which no frame is dropped.
    Row([60_000], 24, 60_000, .none), Row([60_000], 25, 60_000, .none), Row([24_000, 60_000], 7, 60_000, .none),
    Row([50_000, 60_000], 120, 60_000, .none), Row([60_000], 1000, 60_000, .none),
    // A panel with a single rate, or none.
    Row([30_000], 25, 30_000, .none), Row([], 25, 60_000, .none),
  ]

  @Test("A single film gets a fitting rate among the screen's", arguments: rows)
  func film(row: Row) {
    let preferred = row.rates.contains(60_000) || row.rates.isEmpty ? 60_000 : row.rates[0]
    let screen = ScreenRefresh(rates: row.rates, preferred: preferred, current: preferred)
    let film = RefreshItem(wish: .frames(perSecond: row.film))
    let chosen =
      RefreshChoice.choose(for: [film], repeats: true, on: screen, hold: .seconds(60), isFree: false) ?? preferred
    #expect(chosen == row.chosen)
    #expect(RefreshChoice.fit(chosen, framesPerSecond: row.film) == row.fit)
    // A screen at the chosen rate stays there.
    let there = ScreenRefresh(rates: row.rates, preferred: preferred, current: chosen)
    #expect(RefreshChoice.choose(for: [film], repeats: true, on: there, hold: .zero, isFree: true) == nil)
  }

  @Test("Rates of no film, and none at all, cause no trap", arguments: [0, -24, .nan, .infinity, 1e-300, 1e300])
  func nonsense(rate: Double) {
    let screen = ScreenRefresh(rates: [24_000, 60_000], preferred: 60_000, current: 60_000)
    let item = RefreshItem(wish: .frames(perSecond: rate))
    #expect(RefreshChoice.choose(for: [item], repeats: true, on: screen, hold: .zero, isFree: true) == nil)
  }

  @Test("A deck's wish: none for a picture or sound, a calm screen for a film without a rate")
  func wishes() {
    #expect(RefreshWish(hasVideo: false, isPicture: false, interval: .milliseconds(40)) == .none)
    #expect(RefreshWish(hasVideo: true, isPicture: true, interval: .seconds(10)) == .none)
    #expect(RefreshWish(hasVideo: true, isPicture: false, interval: nil) == .unknown)
    #expect(RefreshWish(hasVideo: true, isPicture: false, interval: .zero) == .unknown)
    #expect(RefreshWish(hasVideo: true, isPicture: false, interval: .milliseconds(40)) == .frames(perSecond: 25))
    // GStreamer's rounding of 24000/1001.
    let film = RefreshWish(hasVideo: true, isPicture: false, interval: .nanoseconds(41_708_333))
    let screen = ScreenRefresh(rates: Self.television, preferred: 60_000, current: 60_000)
    #expect(choose([RefreshItem(wish: film)], on: screen, repeats: true) == 23_976)
    for wish in [RefreshWish.none, .unknown] { #expect(choose([RefreshItem(wish: wish)], on: screen) == nil) }
    // A film without a rate may have 30 frames a second and lose some at 24 Hz; a picture can't.
    let slow = ScreenRefresh(rates: Self.television, preferred: 60_000, current: 24_000)
    #expect(choose([RefreshItem(wish: .unknown, duration: .seconds(5))], on: slow) == 60_000)
    #expect(choose([RefreshItem(wish: RefreshWish.none)], on: slow, isFree: true) == nil)
    #expect(choose([RefreshItem()], on: slow, isFree: true) == nil)
  }

  // MARK: When a change is worth it

  private func choose(
    _ items: [RefreshItem], on screen: ScreenRefresh, repeats: Bool = false, isShuffled: Bool = false,
    hold: Duration = .seconds(60), isFree: Bool = false
  ) -> Int? {
    RefreshChoice.choose(
      for: items, repeats: repeats, isShuffled: isShuffled, on: screen, hold: hold, isFree: isFree)
  }

  private func film(_ rate: Double, _ seconds: Int) -> RefreshItem {
    RefreshItem(wish: .frames(perSecond: rate), duration: .seconds(seconds))
  }

  private let screen = ScreenRefresh(rates: television, preferred: 60_000, current: 60_000)

  @Test("A change must hold for long enough, for the item or with those after it")
  func hold() {
    #expect(choose([film(25, 59)], on: screen) == nil)
    #expect(choose([film(25, 60)], on: screen) == 50_000)
    #expect(choose([film(25, 30), film(50, 30)], on: screen) == 50_000)
    #expect(choose([film(25, 30), film(24, 30)], on: screen) == nil)
    // A picture fits every rate, and an item never opened may need any.
    let picture = RefreshItem(wish: RefreshWish.none, duration: .seconds(10))
    #expect(choose([film(25, 30), picture, film(25, 20)], on: screen) == 50_000)
    #expect(choose([film(25, 30), RefreshItem(), film(25, 200)], on: screen) == nil)
    // A rate that fits a looping list or a live stream holds for ever.
    #expect(choose([film(25, 5), film(50, 5)], on: screen, repeats: true) == 50_000)
    #expect(choose([RefreshItem(wish: .frames(perSecond: 25))], on: screen) == 50_000)
    #expect(choose([film(25, 5)], on: screen, isFree: true) == 50_000, "nothing is on the screen yet")
    #expect(choose([film(25, 5)], on: screen, hold: .zero) == 50_000)
  }

  @Test("In random order a rate holds longer than one item only if it fits all")
  func shuffled() {
    let list = [film(25, 30), film(50, 200), film(30, 10)]
    #expect(choose(list, on: screen, repeats: true) == 50_000)
    #expect(choose(list, on: screen, repeats: true, isShuffled: true) == nil)
    #expect(choose(list.dropLast(), on: screen, repeats: true, isShuffled: true) == 50_000)
  }

  @Test("A rate that fits the whole list comes before a nearer one")
  func wholeList() {
    var fast = screen
    fast.rates += [120_000]
    #expect(choose([film(24, 600)], on: fast) == 24_000)
    #expect(choose([film(24, 600), film(30, 600)], on: fast) == 120_000)
    fast.current = 120_000
    #expect(choose([film(30, 600), film(24, 600)], on: fast) == nil)
  }

  @Test("A rate that drops frames is left at once, and only taken again when it holds")
  func slow() {
    let slow = ScreenRefresh(rates: Self.television, preferred: 60_000, current: 24_000)
    #expect(choose([film(30, 10), film(24, 10)], on: slow) == 60_000)
    #expect(choose([film(24, 10), film(30, 10)], on: screen) == nil)
    #expect(choose([film(24_000 / 1001, 10)], on: slow) == nil, "one frame is shown once more in 42 s")
  }

  @Test("A list of short, different films changes the rate at most once, in any round")
  func noFlapping() {
    for rates in [[24.0, 30], [25, 30], [24, 25, 30, 50], [23.976, 24, 60]] {
      let list = rates.map { film($0, 20) }
      var (screen, changes) = (screen, 0)
      for round in 0..<5 {
        for index in list.indices {
          // In the first round the later items aren't known.
          let others = list[(index + 1)...] + list[..<index]
          let items = [list[index]] + (round == 0 ? others.map { _ in RefreshItem() } : Array(others))
          if let rate = choose(items, on: screen, repeats: true, isFree: round == 0 && index == 0) {
            screen.current = rate
            if round + index > 0 { changes += 1 }
          }
        }
      }
      #expect(changes <= 1, "\(rates): \(changes)")
    }
  }
}
