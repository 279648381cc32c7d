import Foundation
import Testing

@testable import PlaybackCore

@Suite("HDR to SDR")
struct ToneMapTests {
  /// Printed by Tests/Tools/tone-map-reference, which follows the standards and shares no code with this project.
  static let colours: [(HDRTransfer, Double, RGB, RGB)] = [
    (.pq, 1000, RGB(0.05, 0.05, 0.05), RGB(0.03384, 0.03384, 0.03384)),
    (.pq, 1000, RGB(0.3, 0.3, 0.3), RGB(0.28569, 0.28569, 0.28569)),
    (.pq, 1000, RGB(0.5, 0.5, 0.5), RGB(0.71962, 0.71962, 0.71962)),
    (.pq, 1000, RGB(0.58, 0.58, 0.58), RGB(0.90220, 0.90220, 0.90220)),
    (.pq, 1000, RGB(0.75, 0.75, 0.75), RGB(1.00000, 1.00000, 1.00000)),
    (.pq, 1000, RGB(1, 1, 1), RGB(1.00000, 1.00000, 1.00000)),
    (.pq, 1000, RGB(0.5, 0.42, 0.38), RGB(0.80659, 0.46465, 0.39749)),
    (.pq, 1000, RGB(0.42, 0.34, 0.28), RGB(0.58793, 0.32302, 0.23518)),
    (.pq, 1000, RGB(0.58, 0.54, 0.52), RGB(0.93279, 0.71298, 0.66301)),
    (.pq, 1000, RGB(0.7, 0.2, 0.1), RGB(0.88120, 0.00000, 0.26799)),
    (.pq, 1000, RGB(0.1, 0.6, 0.2), RGB(0.00000, 0.86983, 0.51855)),
    (.pq, 1000, RGB(0.2, 0.1, 0.8), RGB(0.00000, 0.21681, 0.74196)),
    (.pq, 1000, RGB(0.9, 0.9, 0.2), RGB(0.99426, 0.97147, 0.00000)),
    (.pq, 1000, RGB(0, 0, 0), RGB(0.00000, 0.00000, 0.00000)),
    (.pq, 4000, RGB(0.05, 0.05, 0.05), RGB(0.03384, 0.03384, 0.03384)),
    (.pq, 4000, RGB(0.3, 0.3, 0.3), RGB(0.28569, 0.28569, 0.28569)),
    (.pq, 4000, RGB(0.5, 0.5, 0.5), RGB(0.68285, 0.68285, 0.68285)),
    (.pq, 4000, RGB(0.58, 0.58, 0.58), RGB(0.82397, 0.82397, 0.82397)),
    (.pq, 4000, RGB(0.75, 0.75, 0.75), RGB(0.97994, 0.97994, 0.97994)),
    (.pq, 4000, RGB(1, 1, 1), RGB(1.00000, 1.00000, 1.00000)),
    (.pq, 4000, RGB(0.5, 0.42, 0.38), RGB(0.74537, 0.42938, 0.36732)),
    (.pq, 4000, RGB(0.42, 0.34, 0.28), RGB(0.58246, 0.32001, 0.23300)),
    (.pq, 4000, RGB(0.58, 0.54, 0.52), RGB(0.85388, 0.65266, 0.60692)),
    (.pq, 4000, RGB(0.7, 0.2, 0.1), RGB(0.86519, 0.00000, 0.26312)),
    (.pq, 4000, RGB(0.1, 0.6, 0.2), RGB(0.00000, 0.79862, 0.47610)),
    (.pq, 4000, RGB(0.2, 0.1, 0.8), RGB(0.00000, 0.21590, 0.73885)),
    (.pq, 4000, RGB(0.9, 0.9, 0.2), RGB(0.99426, 0.97147, 0.00000)),
    (.pq, 4000, RGB(0, 0, 0), RGB(0.00000, 0.00000, 0.00000)),
    (.pq, 203, RGB(0.05, 0.05, 0.05), RGB(0.03384, 0.03384, 0.03384)),
    (.pq, 203, RGB(0.3, 0.3, 0.3), RGB(0.28569, 0.28569, 0.28569)),
    (.pq, 203, RGB(0.5, 0.5, 0.5), RGB(0.71990, 0.71990, 0.71990)),
    (.pq, 203, RGB(0.58, 0.58, 0.58), RGB(0.99726, 0.99726, 0.99726)),
    (.pq, 203, RGB(0.75, 0.75, 0.75), RGB(1.00000, 1.00000, 1.00000)),
    (.pq, 203, RGB(1, 1, 1), RGB(1.00000, 1.00000, 1.00000)),
    (.pq, 203, RGB(0.5, 0.42, 0.38), RGB(0.82408, 0.47473, 0.40611)),
    (.pq, 203, RGB(0.42, 0.34, 0.28), RGB(0.58793, 0.32302, 0.23518)),
    (.pq, 203, RGB(0.58, 0.54, 0.52), RGB(1.00000, 0.76435, 0.71077)),
    (.pq, 203, RGB(0.7, 0.2, 0.1), RGB(0.88120, 0.00000, 0.26799)),
    (.pq, 203, RGB(0.1, 0.6, 0.2), RGB(0.00000, 0.91803, 0.54729)),
    (.pq, 203, RGB(0.2, 0.1, 0.8), RGB(0.00000, 0.21681, 0.74196)),
    (.pq, 203, RGB(0.9, 0.9, 0.2), RGB(0.99426, 0.97147, 0.00000)),
    (.pq, 203, RGB(0, 0, 0), RGB(0.00000, 0.00000, 0.00000)),
    (.hlg, 1000, RGB(0.05, 0.05, 0.05), RGB(0.05610, 0.05610, 0.05610)),
    (.hlg, 1000, RGB(0.3, 0.3, 0.3), RGB(0.33659, 0.33659, 0.33659)),
    (.hlg, 1000, RGB(0.5, 0.5, 0.5), RGB(0.56099, 0.56099, 0.56099)),
    (.hlg, 1000, RGB(0.58, 0.58, 0.58), RGB(0.66461, 0.66461, 0.66461)),
    (.hlg, 1000, RGB(0.75, 0.75, 0.75), RGB(0.90344, 0.90344, 0.90344)),
    (.hlg, 1000, RGB(1, 1, 1), RGB(1.00000, 1.00000, 1.00000)),
    (.hlg, 1000, RGB(0.5, 0.42, 0.38), RGB(0.59334, 0.46481, 0.43040)),
    (.hlg, 1000, RGB(0.42, 0.34, 0.28), RGB(0.50278, 0.37479, 0.31773)),
    (.hlg, 1000, RGB(0.58, 0.54, 0.52), RGB(0.68679, 0.60555, 0.58702)),
    (.hlg, 1000, RGB(0.7, 0.2, 0.1), RGB(0.84926, 0.00000, 0.18799)),
    (.hlg, 1000, RGB(0.1, 0.6, 0.2), RGB(0.00000, 0.65536, 0.41687)),
    (.hlg, 1000, RGB(0.2, 0.1, 0.8), RGB(0.00000, 0.12409, 0.83068)),
    (.hlg, 1000, RGB(0.9, 0.9, 0.2), RGB(0.99011, 0.96742, 0.00000)),
    (.hlg, 1000, RGB(0, 0, 0), RGB(0.00000, 0.00000, 0.00000)),
  ]

  @Test("Every colour matches the standards' value", arguments: ToneMapTests.colours.indices)
  func reference(index: Int) {
    let (transfer, peak, signal, expected) = Self.colours[index]
    let map = ToneMap(transfer: transfer, primaries: .bt2020, sourcePeak: peak)
    #expect(distance(map.map(signal), expected) < 0.0001, "\(map.map(signal)), \(expected)")
  }

  @Test("Diffuse white of both curves gives the same value, below the brightest highlight")
  func white() {
    let pq = ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: 1000).map(grey(PQ.signal(of: 203)))
    let hlg = ToneMap(transfer: .hlg, primaries: .bt2020, sourcePeak: 1000).map(grey(0.75))
    #expect(distance(pq, hlg) < 0.002)
    #expect(pq.red > 0.88 && pq.red < 0.92)
  }

  @Test("A grey of 18 % has the value of SDR cameras", arguments: [HDRTransfer.pq, .hlg])
  func greyCard(transfer: HDRTransfer) {
    // BT.2408: 26 cd/m² in PQ, 38 % in HLG. BT.709's camera curve gives 41 %.
    let signal = transfer == .pq ? PQ.signal(of: 26) : 0.38
    let shown = ToneMap(transfer: transfer, primaries: .bt2020, sourcePeak: 1000).map(grey(signal))
    #expect(abs(shown.green - 0.41) < 0.03, "\(shown)")
  }

  @Test("A ramp never falls, stays grey, ends at white, with room for highlights", arguments: HDRTransfer.allCases)
  func ramp(transfer: HDRTransfer) {
    for peak in [203.0, 600, 1000, 4000, 10_000] {
      let map = ToneMap(transfer: transfer, primaries: .bt2020, sourcePeak: peak)
      var last = 0.0
      for code in 0...1023 {
        let shown = map.map(grey(Double(code) / 1023))
        #expect(shown.green >= last - 1e-9 && shown.greatest - shown.least < 0.001)
        last = shown.green
      }
      #expect(abs(last - 1) < 0.0001)
    }
  }

  @Test("A mapped colour keeps its hue: only the share of grey changes")
  func hue() {
    for signal in [RGB(0.9, 0.8, 0.7), RGB(0.6, 0.2, 0.3), RGB(0.1, 0.7, 0.5)] {
      let map = ToneMap(transfer: .pq, primaries: .bt709, sourcePeak: 1000)
      let before = HDRTransfer.pq.light(of: signal)
      let after = map.map(signal).map { ToneMap.luminance(ofSignal: $0) }
      #expect(abs(order(before) - order(after)) < 0.001)
    }
  }

  @Test("Each colour of the cube maps to one inside the screen's range", arguments: HDRTransfer.allCases)
  func cube(transfer: HDRTransfer) {
    for primaries in [ColourPrimaries.bt709, .bt2020, .p3] {
      let map = ToneMap(transfer: transfer, primaries: primaries, sourcePeak: 1000)
      for index in 0..<1000 {
        let shown = map.map(
          RGB(Double(index % 10) / 9, Double(index / 10 % 10) / 9, Double(index / 100) / 9))
        #expect(shown.least >= 0 && shown.greatest <= 1)
      }
    }
  }

  @Test("Numbers far out of range are mapped without a crash")
  func strange() {
    for number in [-1, 2, 1e9, -1e9, Double.infinity, .nan] {
      let map = ToneMap(transfer: .pq, primaries: .bt2020, sourcePeak: number)
      #expect((203...10_000).contains(map.sourcePeak))
      for transfer in HDRTransfer.allCases {
        let shown = ToneMap(transfer: transfer, primaries: .p3, sourcePeak: 1000).map(RGB(number, 0.5, 0.5))
        #expect(shown.least >= 0 && shown.greatest <= 1)
      }
    }
  }

  @Test("The peak is the film's, else its display's, else 1000")
  func peak() {
    let point = HDRLight.Chromaticity(x: 0, y: 0)
    func light(film: UInt16, display: UInt32?) -> HDRLight {
      HDRLight(
        display: display.map {
          HDRLight.Display(red: point, green: point, blue: point, white: point, most: $0 * 10_000, least: 1)
        }, brightestPixel: film)
    }
    #expect(light(film: 0, display: nil).peak == 1000)
    #expect(light(film: 0, display: 4000).peak == 4000)
    #expect(light(film: 700, display: 4000).peak == 700)
    // Encoders write this when they don't know the peak.
    #expect(light(film: 65535, display: 1000).peak == 1000)
    #expect(light(film: 1, display: 20_000).peak == 1000)
  }

  @Test("Between the table's nodes skin colours are within 2 of 255, and mild ones within 4")
  func lattice() {
    for transfer in HDRTransfer.allCases {
      let map = ToneMap(transfer: transfer, primaries: .bt2020, sourcePeak: 1000)
      let table = ToneMapTable(map, matrix: .bt2020)
      #expect(table.nodes.count == 33 * 33 * 33 * 4)
      for exposure in stride(from: 0.2, through: 1.2, by: 0.1) {
        for (colour, bound) in [
          (RGB(0.78, 0.60, 0.52), 2.0), (RGB(0.55, 0.36, 0.28), 2), (RGB(0.35, 0.22, 0.17), 2),
          (RGB(0.9, 0.75, 0.68), 2),
          (RGB(0.5, 0.6, 0.4), 4), (RGB(0.4, 0.5, 0.7), 4), (RGB(0.7, 0.7, 0.7), 1),
        ] {
          // An SDR picture's light, in BT.2020.
          let light = colour.map { ToneMap.luminance(ofSignal: min(1, $0 * exposure)) }
          let wide = RGB(
            RGB(0.627404, 0.329283, 0.043313).dot(light), RGB(0.069097, 0.919540, 0.011362).dot(light),
            RGB(0.016391, 0.088013, 0.895595).dot(light))
          let signal = transfer == .pq ? wide.map(PQ.signal) : hlgSignal(wide)
          let (exact, found) = (map.map(signal), table.between(signal))
          #expect(distance(exact, found) * 255 < bound, "\(transfer) \(colour) x \(exposure): \(exact), \(found)")
        }
      }
    }
  }

  // MARK: Helpers

  private func grey(_ signal: Double) -> RGB { RGB(signal, signal, signal) }

  private func distance(_ a: RGB, _ b: RGB) -> Double {
    max(abs(a.red - b.red), max(abs(a.green - b.green), abs(a.blue - b.blue)))
  }

  /// The middle channel's place between the least and the greatest one, -1...1.
  private func order(_ light: RGB) -> Double {
    let sum = light.red + light.green + light.blue
    return (sum - light.greatest - light.least - light.least) / (light.greatest - light.least)
  }

  /// Inverse of BT.2100's HLG for a display of 1000 cd/m².
  private func hlgSignal(_ light: RGB) -> RGB {
    let shown = light.map { $0 / 1000 }
    let luminance = RGB(0.2627, 0.6780, 0.0593).dot(shown)
    guard luminance > 0 else { return grey(0) }
    let scene = shown.map { $0 * pow(luminance, 1 / 1.2 - 1) }
    // The grey with this scene light.
    return scene.map { HDRTransfer.hlg.signal(ofGrey: 1000 * pow(max(0, $0), 1.2)) }
  }
}

extension ToneMapTable {
  /// Interpolates the table's nodes around a colour of BT.2020, as a filter does; gives R'G'B' of BT.709.
  fileprivate func between(_ signal: RGB) -> RGB {
    let (y, cb, cr) = VideoColour.Matrix.bt2020.yCbCr(signal)
    func place(_ position: Double, _ nodes: Int) -> (Int, Double) {
      let index = min(nodes - 2, Int(position))
      return (index, position - Double(index))
    }
    func chroma(_ value: Double) -> (Int, Double) {
      place(16 + 16 * (2 * value.magnitude).squareRoot() * (value < 0 ? -1 : 1), Self.chromaNodes)
    }
    let axes = [chroma(cb), chroma(cr), place(y * 32, Self.lumaNodes)]
    var sum = [0.0, 0, 0]
    for corner in 0..<8 {
      let steps = [corner & 1, corner >> 1 & 1, corner >> 2]
      let weight = zip(axes, steps).map { axis, step in step == 1 ? axis.1 : 1 - axis.1 }.reduce(1, *)
      let at = zip(axes, steps).map { axis, step in axis.0 + step }
      let node = ((at[0] * Self.chromaNodes + at[1]) * Self.lumaNodes + at[2]) * 4
      for lane in 0..<3 { sum[lane] += weight * Double(nodes[node + lane]) }
    }
    return VideoColour.Matrix.bt709.rgb(y: (sum[0] - 16) / 219, cb: (sum[1] - 128) / 224, cr: (sum[2] - 128) / 224)
  }
}
