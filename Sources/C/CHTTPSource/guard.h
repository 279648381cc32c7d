// Holds every source element of a pipeline to the addresses that its item may open, whoever asks: the player, a redirect that a
// film posts (QuickTime, RTSP), a demultiplexer, or GStreamer's own downloader, whose sources are in no pipeline.
#pragma once

// Puts the check into the class of all elements: a source can't start without passing it. Once for a process, before there is a
// second thread.
void vit_guard_sources(void);
