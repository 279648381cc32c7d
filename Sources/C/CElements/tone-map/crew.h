// Threads that share the rows of one picture at a time.
#pragma once

#include "lattice.h"

typedef struct vit_crew vit_crew;

// `helpers` threads besides the calling one; each has scratch memory for pictures of `width`. Fewer where the system
// gives fewer; zero helpers will do.
vit_crew *vit_crew_new(unsigned helpers, int width);
void vit_crew_free(vit_crew *crew);

// Maps the picture; returns when the whole picture is done.
void vit_crew_map(vit_crew *crew, const vit_picture *picture);
