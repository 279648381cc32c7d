// Sources that are in no pipeline. GStreamer's own downloader, which the demultiplexers of adaptive streams have for keys, for the
// lists of variants, and for what a manifest includes, makes one for each address that it is told, of whatever scheme, and no
// pipeline ever sees it. So the look at it is put where each of them passes: into the class of all elements.
#pragma once

// From then on a source that is in no pipeline opens nothing but http, https and data for an item that came from a server. Once for a
// process, before there is a second thread.
void vit_guard_loose_sources(void);
