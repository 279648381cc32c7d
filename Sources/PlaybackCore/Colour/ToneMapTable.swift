/// A tone map as the nodes of a lattice over Y'CbCr, between which a filter interpolates:
/// docs/decisions/0067-hdr-to-sdr.md.
public struct ToneMapTable: Sendable {
  /// Nodes along Y', evenly from black to white. More of them change the result by less than half a code.
  public static let lumaNodes = 33
  /// Nodes along Cb and Cr, from -1/2 to 1/2; odd, so that grey is a node.
  public static let chromaNodes = 33

  /// Four numbers for each node: Y', Cb and Cr as 8-bit codes of BT.709 in video range, and an unused one. Y' varies
  /// fastest, then Cr, then Cb.
  public let nodes: [Float]

  /// Computes every node, which takes tens of milliseconds.
  ///
  /// - Parameter matrix: the film's.
  public init(_ map: ToneMap, matrix: VideoColour.Matrix) {
    let curve = ToneMap.Curve(map)
    var nodes: [Float] = []
    nodes.reserveCapacity(Self.chromaNodes * Self.chromaNodes * Self.lumaNodes * 4)
    for cb in 0..<Self.chromaNodes {
      for cr in 0..<Self.chromaNodes {
        for luma in 0..<Self.lumaNodes {
          let signal = matrix.rgb(
            y: Double(luma) / Double(Self.lumaNodes - 1), cb: Self.chroma(ofNode: cb), cr: Self.chroma(ofNode: cr))
          let (y, b, r) = VideoColour.Matrix.bt709.yCbCr(curve.map(signal))
          nodes.append(Float(16 + 219 * y))
          nodes.append(Float(128 + 224 * b))
          nodes.append(Float(128 + 224 * r))
          nodes.append(0)
        }
      }
    }
    self.nodes = nodes
  }

  /// The position of a chroma node. They are denser around grey: with even spacing faces are two to four codes off,
  /// with this one within one.
  static func chroma(ofNode index: Int) -> Double {
    let u = Double(2 * index) / Double(chromaNodes - 1) - 1
    return u * u.magnitude / 2
  }
}
