// The arithmetic of the filter: planes in, planes out. Independent of GStreamer.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One node: Y', Cb, Cr, unused. Four lanes, so that all three are interpolated at once.
typedef float vit_node __attribute__((vector_size(16)));

typedef struct {
    vit_node *nodes;
    int luma_nodes, chroma_nodes;
} vit_lattice;

// The place of a code's samples between the nodes.
typedef struct {
    uint16_t index;
    float fraction;
} vit_place;

// The samples of one component of a picture.
typedef struct {
    const uint8_t *data;
    ptrdiff_t stride;
    // Samples in a row, and number of rows.
    int width, height;
    // Distance from one sample to the next, in samples: 2 where Cb and Cr alternate.
    int step;
} vit_plane_in;

typedef struct {
    uint8_t *data;
    ptrdiff_t stride;
    int step;
} vit_plane_out;

typedef struct {
    const vit_lattice *lattice;
    // By code; `code_mask` + 1 of each.
    const vit_place *luma_places, *chroma_places;
    uint16_t code_mask;
    // By how many bits a 16-bit sample is shifted to get its code.
    int shift;
    bool is_wide;
    vit_plane_in y, cb, cr;
    // By how much the picture is scaled down, each way.
    int luma_factor, chroma_factor_x, chroma_factor_y;
    vit_plane_out to_y, to_cb, to_cr;
    // Size of the output picture.
    int width, height;
} vit_picture;

// Number of block rows (two rows of the picture, one of chroma).
int vit_block_rows(const vit_picture *picture);

// Samples of scratch memory that `vit_map_rows` needs for a picture of that width.
size_t vit_scratch_samples(int width);

// Maps block rows `first` to `end` (not included). Rows are independent of each other.
void vit_map_rows(const vit_picture *picture, int first, int end, uint16_t *scratch);
