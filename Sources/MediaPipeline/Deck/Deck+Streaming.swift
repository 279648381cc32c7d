internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

// What the pipeline reports to its deck, on the pipeline's streaming threads.

extension Deck {
  /// Streams were added or have changed. Before the first frame, the tracks are chosen here, on the streaming thread,
  /// before any data flows: after a later switch, up to a second of the other track in the queues would still be heard,
  /// and a flush right after a switch hangs: docs/decisions/0014-tracks-and-subtitles.md.
  func streamsChanged() {
    guard state.withLock({ $0.phase == .starting }), let tracks = parts.tracks else { return tracksChanged() }
    let found = tracks.list()
    tracks.select(chosenTracks(of: found).room, of: found, hasBegun: hasBegun)
  }

  /// Reads the tracks again, once for a burst of changes.
  func tracksChanged() {
    guard state.withLock({ $0.isOpen }) else { return }
    worker.submitOnce("tracks") { [weak self] in
      guard let self, state.withLock({ $0.phase != .gone }) else { return }
      chooseTracks()
    }
  }

  func receiveMessage(_ message: BusMessage) {
    switch message {
    case .asyncDone:
      let flushes = flushes
      let opening = state.withLock { $0.opening }
      worker.submit { [weak self] in self?.prerolled(flushes: flushes, of: opening) }
    case .stateChanged(let new): state.withLock { $0.current = new }
    case .error(let fault): if !reopensWithSound(isUnlinked: fault.isUnlinked) { fail(fault) }
    case .warning(let fault):
      let (uri, isSilent) = (recipe.item.uri, parts.isSilent)
      if let remark = MediaErrors.remark(on: fault, uri: uri, isSilent: isSilent) { post(.warning(remark)) }
    case .buffering(let percent):
      gauge.pipelineTold(percent)
      refreshRanges()
    case .durationChanged: askForDuration()
    case .tags(let tags):
      let (old, new) = state.withLock { state in
        let old = state.metadata
        state.metadata.merge(tags)
        return (old, state.metadata)
      }
      guard old != new else { break }
      post(.metadata(new))
      if let cards { worker.submit { cards.updateMetadata(new) } }
    case .cover(let file, let isFront):
      if let cards { worker.submit { cards.updateCover(file, isFront: isFront) } }
    // Reported with the deck's readiness: a sink posts them before its first frame.
    case .chapters(let starts): state.withLock { $0.chapters = starts.isEmpty ? nil : starts }
    case .medium(let medium, let text):
      if let kind = medium.kind(insteadOf: recipe.item.kind) { post(.kindFound(kind)) }
      if medium.isList { post(.listFound(medium, text.bytes, from: text.reach)) }
      if medium == .hls { sidecars.addCaptions(of: text) }
    case .latency: worker.submit { [weak self] in self?.updateLatency() }
    case .clockLost: post(.clockLost)
    case .quality(let dropped, let element):
      let more = state.withLock { state in
        defer { state.skipped[element] = dropped }
        // Before the deck plays, the frames that a decoder drops are header packets, which are never shown.
        return state.target == GST_STATE_PLAYING
          ? Int64(clamping: dropped) - Int64(clamping: state.skipped[element] ?? 0) : 0
      }
      if more > 0 { post(.framesSkipped(Int(more))) }
    }
  }

  func updateLatency() {
    parts.pipeline.recalculateLatency()
    guard state.withLock({ $0.isLive }) else { return }
    let latency = parts.pipeline.queryLatency()
    video.setLatency(latency)
    sound?.setLatency(latency)
  }

  /// Only the first error explains the failure; those after it are its consequences.
  func fail(_ fault: MediaFault) {
    fail(MediaErrors.classify(fault, uri: recipe.item.uri, isRemote: recipe.item.isRemote))
  }

  func fail(_ error: VitrineError) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed && state.phase != .gone
    }
    if isFirst { post(.failed(error)) }
  }

  func observe(_ gate: DeckGate, sink: Element, _ kind: StreamKind) {
    if let pad = sink.staticPad("sink") { gate.trimmer.attach(to: pad) }
    let mayGrow = recipe.item.kind != .picture
    sink.staticPad("sink")?.observeEvents { [post, weak self] event in
      switch vit_event_type(event) {
      case GST_EVENT_CAPS:
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        gate.formatKnown(interval: caps.flatMap { Caps(borrowing: $0).video?.frameInterval })
      case GST_EVENT_FLUSH_STOP:
        gate.flushed()
        gate.trimmer.flushed()
      case GST_EVENT_EOS:
        if kind == .video { self?.postCopiedFrames() }
        let facts = gate.facts
        post(.streamEnded(kind, at: facts.end, buffers: facts.passed, lastDuration: facts.lastDuration))
        // A fragmented MP4 without a length in its header grows as it is read, and the pipeline posts no message about
        // it.
        if mayGrow { self?.askForDuration() }
      default: break
      }
    }
  }

  func postCopiedFrames() {
    let count = parts.videoChain.drainCopiedCount()
    if count > 0 { post(.framesCopied(count)) }
  }

  func askForDuration() {
    inquirer.submit { [weak self] in
      guard let self, let duration = parts.queryDuration() else { return }
      post(.durationChanged(start.length(duration)))
      refreshRanges()
    }
  }

  func observeDecodedVideo() {
    if let picture = parts.picture {
      return picture.observe { [weak self] event in
        switch event {
        case .opened(let size, let interval): self?.post(.mediaSize(PresentationSize(pixels: size), interval: interval))
        case .failed(let error): self?.fail(error)
        case .broken(let error): self?.post(.warning(error))
        }
      }
    }
    // Doesn't capture `parts`: the chain belongs to them, and would keep itself and the whole deck alive.
    let told = Locked<FramePath?>(nil)
    parts.videoChain.observePath {
      [post, pipeline = parts.pipeline, copies = recipe.decoders.copiesFrames] treatment, isShared in
      let decoder = pipeline.videoDecoder
      let path = FramePath(
        decoder: decoder?.name, isHardware: decoder?.isHardware ?? false, isShared: isShared && !copies,
        stages: treatment.stages)
      let isNews = told.withLock { before in
        guard path.isWorse(than: before) else { return false }
        before = path
        return true
      }
      if isNews { post(.framePath(path)) }
      return path.isCopied
    }
    parts.videoChain.observe { [post] video, interval in
      post(.mediaSize(video.uprightSize, interval: interval))
    }
  }
}
