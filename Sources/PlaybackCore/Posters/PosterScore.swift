/// How well a frame stands for its film. Computed from the brightness of the small picture alone.
package struct PosterScore: Hashable, Sendable {
  /// Standard deviation of the brightness, whose range is 219: low in fades, fog and plain colour.
  package var contrast = 0.0
  /// Variance of the picture's Laplacian: low where nothing has an edge, as in blends and out of focus.
  package var sharpness = 0.0
  /// The part of the pixels that are nearly black, or that are nearly white, whichever is more.
  package var emptiness = 1.0

  /// The limits of a good frame.
  private enum Limit {
    /// A fade at half of its way has half of the contrast of the frame behind it, which is 40 to 70 as a rule.
    static let contrast = 20.0
    /// A photo of 384 pixels with many things on it has 2200; softened by a Gaussian of 1 pixel 330, of 2 pixels 50, of
    /// 4 pixels 7. Close-ups are soft, and good.
    static let sharpness = 40.0
    /// Titles on black leave more of it black. Bars above and below (2.39:1) are a quarter.
    static let emptiness = 0.85
    /// Brightness that counts as black or white: some noise above 16 and below 235.
    static let black: UInt8 = 32
    static let white: UInt8 = 225
  }

  package var isGood: Bool {
    contrast >= Limit.contrast && sharpness >= Limit.sharpness && emptiness <= Limit.emptiness
  }

  /// For comparing frames none of which is good: 0 to 1. Beyond twice a limit, more of it makes no better picture.
  package var rank: Double {
    min(1, contrast / (2 * Limit.contrast)) * min(1, sharpness / (2 * Limit.sharpness)) * (1 - emptiness)
  }

  package init(of image: PosterImage) {
    let (width, height) = (image.size.width, image.size.height)
    let luma = Array(image.luma)
    var (sum, squares, black, white) = (0, 0, 0, 0)
    for value in luma {
      sum += Int(value)
      squares += Int(value) * Int(value)
      if value < Limit.black { black += 1 }
      if value > Limit.white { white += 1 }
    }
    let count = Double(luma.count)
    let mean = Double(sum) / count
    contrast = max(0, Double(squares) / count - mean * mean).squareRoot()
    emptiness = Double(max(black, white)) / count
    guard width > 2, height > 2 else { return }
    (sum, squares) = (0, 0)
    for y in 1..<(height - 1) {
      for x in 1..<(width - 1) {
        let place = y * width + x
        let edge =
          4 * Int(luma[place]) - Int(luma[place - 1]) - Int(luma[place + 1]) - Int(luma[place - width])
          - Int(luma[place + width])
        sum += edge
        squares += edge * edge
      }
    }
    let inner = Double((width - 2) * (height - 2))
    sharpness = max(0, Double(squares) / inner - (Double(sum) / inner) * (Double(sum) / inner))
  }
}

/// Chooses among the frames of a film: the first that is good, else the best.
package struct PosterChoice: Sendable {
  package private(set) var best: PosterImage?
  /// Whether `best` is good: then no further frame is needed.
  package private(set) var isGood = false
  private var rank = -1.0

  package init() {}

  package mutating func offer(_ image: PosterImage) {
    guard !isGood else { return }
    let score = PosterScore(of: image)
    guard score.isGood || score.rank > rank else { return }
    (best, isGood, rank) = (image, score.isGood, score.rank)
  }
}
