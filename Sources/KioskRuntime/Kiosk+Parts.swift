internal import ContentStore
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig

// Passes the notices of each part on to the other parts. The parts call on the loop, which is the actor's thread.

extension Kiosk: ScreenSessionOwner {
  nonisolated func screen(_ name: String?, tells notice: ScreenNotice) { assumeIsolated { $0.route(notice, of: name) } }

  nonisolated func screen(_ name: String?, asksFor command: Command) -> KioskReply {
    assumeIsolated { $0.perform(command) }
  }

  nonisolated func screenAsksForRollBack() -> Bool { assumeIsolated { $0.configuration?.canRollBack == true } }

  nonisolated func screenAsksForStatus() -> KioskStatus { assumeIsolated { $0.status } }

  private func route(_ notice: ScreenNotice, of screen: String?) {
    control?.handle(notice, of: screen)
    telemetry.handle(notice, of: screen)
    switch notice {
    case .settingsFailed(let error): configuration?.screenFailed(error)
    case .failed(let error): end(exitCode: KioskExit.code(ofScreen: error))
    case .presenceChanged: configuration?.screenChanged()
    case .problem(let error): problems.append(error)
    case .firstFrame: run.limit?.frameShown()
    case .itemStarted(let item):
      store?.played(item)
      memory?.itemStarted()
    case .itemFailed(let item, let error):
      clock?.consider(error)
      configuration?.itemFailed(item, error)
      store?.didNotPlay(item)
    case .reconnecting(let error): clock?.consider(error)
    case .settled: store?.used(by: screens?.openMedia ?? [])
    case .decoderIsSilent(let decoder): AvoidedDecoders.remember(decoder, options, by: memory?.worker, log: log)
    case .pipelinesHang where isEnding: break
    case .pipelinesHang(let isOutput):
      if let code = HungPipelines.exitCode(isOutput ? nil : screens, options, log: log) { end(exitCode: code) }
    case .statusCardOpened: telemetry.host.forget()
    case .playlistEnded: if let code = screens?.exitCodeAtEnd { end(exitCode: code) }
    case .event(let kind, _): screens?.cues?.happened(kind, on: screen)
    case .publish: break
    }
  }
}

extension Kiosk: ConfigurationSessionOwner {
  nonisolated func session(
    _ session: ConfigurationSession, plays decision: ScheduleDecision, of revision: ConfigurationRevision
  ) {
    assumeIsolated { $0.play(decision, of: revision) }
  }

  private func play(_ decision: ScheduleDecision, of revision: ConfigurationRevision) {
    screens?.handle(.scheduleWants(on: !decision.isScreenOff))
    guard !isEnding else { return }
    options.play(revision.lists(for: decision), by: revision.configuration, in: revision.language.texts)
    screens?.follow(ScreenPlan.all(options, revision, decision))
    // A removed screen may have been the last one that was playing.
    if let code = screens?.exitCodeAtEnd { return end(exitCode: code) }
    store?.update(options.store)
    followControl()
    followTelemetry()
  }
}

extension Kiosk: StoreSessionOwner {
  nonisolated func store(_ store: StoreSession, has copies: [String: MediaCopy], _ lists: KeptLists) {
    assumeIsolated { $0.screens?.play(from: copies, lists) }
  }

  nonisolated func store(_ store: StoreSession, failed error: VitrineError) {
    log.report(error)
    assumeIsolated { kiosk in
      kiosk.clock?.consider(error)
      kiosk.telemetry.reportProblem(error)
    }
  }

  nonisolated func storeAsksWhetherShown(_ store: StoreSession) -> Bool {
    assumeIsolated { $0.screens?.hasShownFrame == true }
  }

  nonisolated func storeAsksForWanted(_ store: StoreSession) -> [WantedFile]? {
    assumeIsolated { $0.configuration?.active?.wantedFilesNow(kept: $0.store?.lists ?? KeptLists()) }
  }
}
