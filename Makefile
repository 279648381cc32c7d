# `make help` lists the targets. Debug and release builds have separate folders, so that they don't undo each other's work.
SWIFT ?= swift
DEBUG := --scratch-path .build-debug
# Full RELRO: all functions are bound when the program starts, and relocated data is read-only from then on. Only symbols that a
# library also has are exported. lld is used, because gold, Swift's default here, has no short relocations (decision 0184). Debian's
# packages for arm64 are linked in the same way (deploy/package/cross).
LINKING := -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs
# The program doesn't contain the paths of the sources or of the module cache, so that another folder gives the same bytes
# (Tests/Tools/reproducible).
RELEASE := -c release --scratch-path .build-release --static-swift-stdlib -Xcc -ffile-prefix-map=$(CURDIR)=/usr/src/vitrine \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=/usr/src/vitrine -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs $(LINKING)
# An import of a target that isn't declared as a dependency is an error.
STRICT := --explicit-target-dependency-import-check error
# The names of tests that don't run (.ci/run leaves out in one Debian what runs in the other).
LEFT_OUT ?=
# Seconds for each group of tests, for machines that run nothing else (.ci/run); 0: no limit.
TEST_LIMIT ?= 0
PREFIX ?= /usr/local
BINARY ?= .build-release/release/vitrine
# The program that decodes pictures; the player looks for it where it is installed (PictureHelpers).
PICTURES ?= $(dir $(BINARY))vitrine-pictures
# Values that no library has a part in: the same on each Debian.
VALUE_TESTS := PlaybackCoreTests|PlaylistConfigTests|KioskCoreTests|InteractionCoreTests|ContentStoreTests|ScreenModelTests|JSONTextTests|ControlProtocolTests|TelemetryCoreTests
PURE_TESTS := $(VALUE_TESTS)|OverlayRendererTests|FileSystemTests|ConfigurationFilesTests
# The Debian suite for `make shell`.
SUITE ?= trixie
EXAMPLES := PlayFile PlayerTour PlayInWindow
# The files (and suites) that do more with VITRINE_TEST_LONG=1.
LONG_TESTS := $(shell grep -lE 'Board\.(isLong|cases|Card\.either)|\.long\b' Tests/EndToEndTests/*Tests.swift | xargs -n 1 basename -s .swift | paste -sd '|')
# The names of the suites that run on the virtual board.
BOARD_TESTS := EndToEndTests\..*BoardTests
# Runs the tests without `swift test`, which has no option for the number of tests that run at a time.
RUN_TESTS = timeout -k 10 $(TEST_LIMIT) .build-debug/debug/vitrinePackageTests.xctest --testing-library swift-testing $(if $(LEFT_OUT),--skip '$(LEFT_OUT)')
AT_A_TIME := --experimental-maximum-parallelization-width

.PHONY: help setup shell build release release-notes release-files install deb image test-image deb-arm64 demo test test-board test-all test-units test-players test-only test-deb test-package test-arm64 test-arm64-cores test-bytes test-sanitize test-soak test-floods test-reloads test-power test-kill test-long test-seams test-decoders test-deaths test-day test-sound-day test-health-day test-play-day test-telemetry-truth test-faults test-zoo fuzz test-fuzz measure bench docs reference examples lint format board-kernel board-tools built-tests clean

help: ## say what can be made
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

setup: ## install the Debian packages that building, running and testing need
	@deploy/setup --only build,run,test,kernel

shell: ## open a Debian root (SUITE=trixie or bookworm) with this tree, its packages and its own builds, kept between runs; CMD='...' runs a command
	.ci/blank-root --suite $(SUITE) --here $(if $(CMD),-- bash -c '$(CMD)')

build: setup ## the program, for development
	$(SWIFT) build $(DEBUG) $(STRICT) --product vitrine
	$(SWIFT) build $(DEBUG) $(STRICT) --product vitrine-pictures

release: setup ## the program as it is installed: optimised, Swift's own libraries linked in
	$(build_release)
	deploy/package/check-linking .build-release/release/vitrine
	deploy/package/check-linking .build-release/release/vitrine-pictures

release-notes: ## what CHANGELOG.md says of the version that the sources have
	@deploy/package/release notes

release-files: ## packages of this commit (make release deb before), their parts (SPDX), sums and notes, into build/release
	deploy/package/release files

install: ## put program, profiles, languages and documents under PREFIX (make release before), for packages under DESTDIR
	install -D -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/vitrine
	install -D -m 755 $(PICTURES) $(DESTDIR)$(PREFIX)/lib/vitrine/vitrine-pictures
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/vitrine/board board/*.toml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/vitrine/languages config/languages/*.toml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/vitrine/self-test deploy/self-test/checksums \
	  deploy/self-test/*.mp4 deploy/self-test/*.webm deploy/self-test/*.wav
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine README.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/docs CHANGELOG.md docs/*.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/docs/decisions docs/decisions/*.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/docs/guide docs/guide/*.md
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/docs/images docs/images/*.png
	$(if $(wildcard docs/performance/*.svg),install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/docs/performance docs/performance/*.svg)
	# The documents refer to these files.
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/deploy/grafana deploy/grafana/vitrine.json
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/doc/vitrine/deploy/prometheus deploy/prometheus/vitrine.rules.yml
	# The service with its own user, USB sticks, and settings that keep a keyboard from ending playback.
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/|$(PREFIX)/|' deploy/vitrine.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/vitrine.service
	for unit in vitrine-usb@.service vitrine-usb.service vitrine-usb.path; do \
	  sed 's|/usr/|$(PREFIX)/|' deploy/usb/$$unit > $(DESTDIR)$(PREFIX)/lib/systemd/system/$$unit; done
	install -D -m 755 deploy/usb/vitrine-usb-mount $(DESTDIR)$(PREFIX)/lib/vitrine/vitrine-usb-mount
	install -D -m 644 deploy/usb/90-vitrine-usb.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/90-vitrine-usb.rules
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system-generators
	sed 's|/usr/|$(PREFIX)/|' deploy/package/systemd/vitrine-kiosk-generator \
	  > $(DESTDIR)$(PREFIX)/lib/systemd/system-generators/vitrine-kiosk-generator
	chmod 755 $(DESTDIR)$(PREFIX)/lib/systemd/system-generators/vitrine-kiosk-generator
	install -D -m 644 deploy/console/50-console.conf $(DESTDIR)$(PREFIX)/share/vitrine/console/50-console.conf
	install -D -m 644 deploy/console/60-vitrine-keyboard.conf $(DESTDIR)$(PREFIX)/lib/sysctl.d/60-vitrine.conf
	install -D -m 644 deploy/console/60-vitrine-logind.conf $(DESTDIR)$(PREFIX)/lib/systemd/logind.conf.d/60-vitrine.conf
	install -D -m 644 deploy/console/60-vitrine-system.conf $(DESTDIR)$(PREFIX)/lib/systemd/system.conf.d/60-vitrine.conf
	install -D -m 644 deploy/package/systemd/60-vitrine-gpio.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-vitrine-gpio.rules
	install -D -m 644 deploy/package/systemd/60-vitrine-watchdog.conf \
	  $(DESTDIR)$(PREFIX)/lib/systemd/system.conf.d/61-vitrine-watchdog.conf
	# For boards without systemd; docs/deploy.md says where to install it.
	install -d $(DESTDIR)$(PREFIX)/share/vitrine/openrc
	sed 's|/usr/bin/|$(PREFIX)/bin/|' deploy/openrc/vitrine > $(DESTDIR)$(PREFIX)/share/vitrine/openrc/vitrine
	chmod 755 $(DESTDIR)$(PREFIX)/share/vitrine/openrc/vitrine
	install -D -m 644 deploy/package/lean.dpkg.cfg $(DESTDIR)$(PREFIX)/share/vitrine/lean.dpkg.cfg

deb: ## Debian packages of the release, into build/deb
	@deploy/setup --only build,run,package
	$(build_release)
	$(SWIFT) build $(DEBUG) $(STRICT) --product generate-manual
	deploy/package/build

deb-arm64: ## the same for arm64 with Debian 13, compiled here on amd64 (root; the first time 15 minutes more)
	@deploy/setup --only build,run,package,cross
	$(SWIFT) build $(DEBUG) $(STRICT) --product generate-manual
	deploy/package/cross build
	deploy/package/build --architecture arm64

BOARD ?= pc
image: ## a bootable image for a card or a disk, BOARD=pc or raspberrypi, into build/image (root; needs make deb; docs/image.md)
	@deploy/setup --only image
	deploy/image/build --board $(BOARD)

test-image: board-kernel ## the image of BOARD in QEMU: its stages up to the first picture, and 20 power cuts during first starts (an hour, resumable)
	@deploy/setup --only image
	deploy/image/storage-cuts
	deploy/image/boot --board $(BOARD) --report
	deploy/image/power-cuts --board $(BOARD)

demo: build ## make small clips and play them on the screen of this machine
	deploy/demo --binary .build-debug/debug/vitrine

board-kernel: setup board-tools ## the kernel of the virtual board, once, into the cache (4 to 9 minutes)
	@board/virtual/build-kernel

board-tools: setup
	@$(MAKE) --no-print-directory -s -C board/virtual/tools

built-tests: setup
	$(SWIFT) build $(DEBUG) $(STRICT) --build-tests

test: setup lint test-units test-players ## the tests that need no kernel of the virtual board

# The board's time is virtual, so a busy machine doesn't change its results. Tests that wait for real time run without these.
test-board: setup board-kernel built-tests ## the tests on the virtual board (builds its kernel the first time)
	$(RUN_TESTS) --filter '$(BOARD_TESTS)' $(AT_A_TIME) 3

test-all: setup lint test-units test-board test-players ## test, test-board and fuzz
	[ $(FUZZ_SECONDS) = 0 ] || $(MAKE) --no-print-directory fuzz

test-units: setup board-tools built-tests ## the tests that run no whole program: the pure targets, the library, and its surroundings
	# Files that several suites need are made before the tests start.
	Tests/Tools/make-stream-media --long build/streams
	Tests/Tools/media-zoo --make --few
	# Tests that compute for long run apart from tests that wait for media: in one process they would block the others' tasks.
	$(RUN_TESTS) --filter '$(PURE_TESTS)'
	$(RUN_TESTS) --skip 'EndToEndTests|VitrinePlaybackTests|$(PURE_TESTS)'
	# Players that play in real time run apart: on a machine that is busy with other tests they drop too many frames.
	$(RUN_TESTS) --filter VitrinePlaybackTests $(AT_A_TIME) 2

test-players: setup board-tools built-tests ## the tests that run the whole program, without those of the virtual board
	$(RUN_TESTS) --filter EndToEndTests --skip '$(BOARD_TESTS)' $(AT_A_TIME) 2

# The targets share two processors and one folder of builds.
.NOTPARALLEL:

# `swift build` builds only one product at a time.
define build_release
	$(SWIFT) build $(RELEASE) $(STRICT) --product vitrine
	$(SWIFT) build $(RELEASE) $(STRICT) --product vitrine-pictures
endef

test-only: setup board-kernel built-tests ## the tests whose names match FILTER, a regular expression
	$(RUN_TESTS) --filter '$(FILTER)' $(AT_A_TIME) 2

test-deb: deb board-kernel ## the contents of the package (root), and the package on the virtual board under systemd, checked on the card's planes
	Tests/Tools/try-package --weigh || [ $$? = 77 ]
	$(SWIFT) build $(DEBUG) $(STRICT) --build-tests
	$(RUN_TESTS) --filter PackageBoardTests

test-package: test-deb ## test-deb, and the package on blank roots of Debian 12 and 13: installed, run, upgraded, removed (root, ten minutes)
	Tests/Tools/try-package

test-arm64: setup deb-arm64 ## play with the arm64 package, which Swift 6.2 compiled, emulated (root; a release needs it)
	Tests/Tools/try-arm64 --without-tests

test-arm64-cores: setup ## the tests of the pure cores, compiled for arm64 and emulated (root)
	Tests/Tools/try-arm64

test-sanitize: setup ## the tests under the thread and the address sanitizer (about 40 minutes)
	Tests/Tools/sanitize thread
	Tests/Tools/sanitize address

test-long: setup board-kernel build built-tests ## tests of a minute and more each, on the virtual board
	VITRINE_TEST_LONG=1 $(RUN_TESTS) --filter '$(LONG_TESTS)' $(AT_A_TIME) 1

test-seams: setup board-kernel build ## 1,000 transitions each of a loop, a mixed list and a list with broken items, on a plane and in Weston (an hour and a half)
	for list in loop mixed broken; do \
	  Tests/Tools/soak --binary .build-debug/debug/vitrine --list $$list --transitions 1000 --output wayland \
	    --out build/seams-$$list-weston && \
	  Tests/Tools/soak --binary .build-debug/debug/vitrine --list $$list --transitions 1000 --checksums all \
	    --out build/seams-$$list || exit 1; done

test-decoders: setup board-kernel build ## 1,000 transitions each with the virtual board's decoders working, late, silent, hanging, short of buffers; 1,000 kills (two hours, the kills resumable)
	status=0; for decoders in well late silent hang few; do \
	  Tests/Tools/soak --binary .build-debug/debug/vitrine --list hardware --decoders $$decoders --transitions 1000 \
	    --checksums seams --out build/decoders-$$decoders || status=1; done; \
	Tests/Tools/decoder-kills --binary .build-debug/debug/vitrine || status=1; exit $$status

test-deaths: setup board-kernel build ## 1,000 kills at random moments, with a check of every refresh (an hour and more, resumable)
	Tests/Tools/process-kills --binary .build-debug/debug/vitrine

test-day: setup board-kernel build ## 24 hours of a list with hours of pictures and minutes of video, in virtual time (a quarter of an hour)
	Tests/Tools/soak --binary .build-debug/debug/vitrine --list day --hours 24 --checksums seams --no-audio --out build/day

test-sound-day: setup board-kernel release ## 24 hours of sound to a device whose clock is off by 0.02 %, in virtual time (an hour and more)
	Tests/Tools/sound-day --binary .build-release/release/vitrine

test-health-day: setup board-kernel build ## 24 hours of pauses, nights and pulled plugs under a watchdog, in virtual time (some minutes)
	Tests/Tools/health-day

test-play-day: setup board-kernel build ## 24 hours of a list, to compare the proof of play with each composed picture, in virtual time
	Tests/Tools/play-day

test-telemetry-truth: setup board-kernel build ## 200 injected faults, to compare the counters of /metrics and of the status with the script and the screen
	Tests/Tools/telemetry-truth

test-floods: setup board-kernel built-tests ## 10,000 malformed messages and 1,000 connections, by the control socket, by HTTP and by the doors for other machines, in virtual time (a few minutes)
	VITRINE_TEST_LONG=1 $(RUN_TESTS) --filter 'ControlBoardTests/(flood|doors)|WebBoardTests/flood' $(AT_A_TIME) 1

test-reloads: setup board-kernel build ## 1,000 changes of the configuration while a film plays, in virtual time (a quarter of an hour)
	Tests/Tools/reload-soak --binary .build-debug/debug/vitrine

test-bytes: deb ## check that release and packages have the same bytes if built in another folder (a quarter of an hour)
	Tests/Tools/reproducible

test-power: setup board-kernel build ## 200 power cuts during a change of the configuration (half an hour)
	Tests/Tools/power-cuts --binary .build-debug/debug/vitrine

test-kill: setup built-tests ## kill -9 at 200 moments of a change of the configuration, and of downloads (half an hour)
	VITRINE_KILLS=200 timeout -k 10 3600 $(SWIFT) test $(DEBUG) $(STRICT) --skip-build --no-parallel --filter KillTests

test-faults: setup board-kernel build ## each fault of the network over MP4, WebM and HLS, and 500 scripts of 5 minutes (resumable)
	# Runs all of them, even if one fails.
	status=0; \
	Tests/Tools/network-faults --media mp4,webm,hls,dash,live,dash-live,rich || status=1; \
	Tests/Tools/network-faults --media mp4,webm,hls --players gst-play,mpv --out build/network-faults-others || status=1; \
	nice Tests/Tools/random-faults --seeds 1-500 || status=1; \
	exit $$status

test-zoo: setup board-kernel build ## 250 kinds of file, compared with ffmpeg's decode, headless and on the virtual board; docs/media.md
	Tests/Tools/media-zoo --binary .build-debug/debug/vitrine --player headless,board,gst-play,mpv --write

test-soak: setup board-kernel build ## an hour of playing in virtual time (about 10 minutes)
	Tests/Tools/soak --binary .build-debug/debug/vitrine

# How long each fuzzer runs; with 0, test-all runs none.
FUZZ_SECONDS ?= 10
fuzz: setup ## random bytes for each parser, FUZZ_SECONDS=10 each
	Tests/Fuzz/fuzz --at-once 2 $(FUZZ_SECONDS)

test-fuzz: setup board-kernel build ## random bytes for each parser, 10 minutes each, and 300 damaged media files (an hour and a half)
	Tests/Fuzz/fuzz --at-once 2 600
	Tests/Tools/media-zoo --binary .build-debug/debug/vitrine --damaged 300

measure: release ## measure the program's size and the share of each part, into docs/performance.md
	Tests/Performance/measure

BENCH ?=
bench: release ## compare Vitrine with gst-launch, gst-play, mpv, VLC and ffmpeg, into docs/performance.md (an hour and twenty minutes, resumable; BENCH=--quick: ten minutes, prints)
	@deploy/setup --only test,bench
	Tests/Performance/bench $(BENCH)

docs: setup ## the documentation of the library, into .build-debug/plugins
	$(SWIFT) package $(DEBUG) --disable-sandbox generate-documentation --target VitrinePlayback --warnings-as-errors

reference: build ## docs/configuration.md and the tables of docs/control.md, from the descriptions in the program
	.build-debug/debug/vitrine config schema --markdown > docs/configuration.md.new
	mv docs/configuration.md.new docs/configuration.md
	sed '/^### Verbs/,$$d' docs/control.md > docs/control.md.new
	.build-debug/debug/vitrine ctl schema --markdown >> docs/control.md.new
	mv docs/control.md.new docs/control.md

examples: setup ## build the examples optimised, as separate packages, as users do; each plays a clip
	Tests/Tools/make-media build/media > /dev/null
	# Removes packages that an older version of the example needed.
	rm -rf .build-examples/checkouts .build-examples/workspace-state.json
	for example in $(EXAMPLES); do \
	  $(SWIFT) build -c release --package-path Examples/$$example --scratch-path .build-examples || exit 1; done
	# Users of the library must not have to fetch packages that only the program vitrine needs.
	test -z "$$(ls -A .build-examples/checkouts 2> /dev/null)"
	timeout $(TEST_LIMIT) .build-examples/release/PlayFile build/media/h264-640x360-30-2s.mp4
	timeout $(TEST_LIMIT) .build-examples/release/PlayerTour build/media/h264-60s-640x360-30.mp4

lint: ## style of the Swift code and of the scripts
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Examples
	shellcheck -x $$(git ls-files -co --exclude-standard | xargs -r grep -lE '^#!(/usr)?/bin/(env )?(ba)?sh' --)

format: ## bring the Swift code to the common style
	$(SWIFT) format --in-place --recursive --parallel Package.swift Sources Tests Examples

clean: ## remove what was built here (not the cached kernel)
	rm -rf .build .build-debug .build-release .build-thread .build-address .build-examples .build-fuzz build
