// Restricts every source element of a pipeline to the addresses that its item may open, whatever makes the source: the
// player, a film's redirect (QuickTime, RTSP), a demultiplexer, or GStreamer's own downloader, whose sources are in no
// pipeline.
#pragma once

// Adds the check to the class of all elements: a source can't start without passing it. Call once in a process, before
// there is a second thread.
void vit_guard_sources(void);
