#include "lattice.h"

// A 4x4 ordered dither instead of rounding: a sky of ten bits would show steps in eight. The thresholds lie in the
// middle of each sixteenth, so that the mean equals that of rounding.
static const float thresholds[4][4] = {
    {0.5f / 16, 8.5f / 16, 2.5f / 16, 10.5f / 16},
    {12.5f / 16, 4.5f / 16, 14.5f / 16, 6.5f / 16},
    {3.5f / 16, 11.5f / 16, 1.5f / 16, 9.5f / 16},
    {15.5f / 16, 7.5f / 16, 13.5f / 16, 5.5f / 16},
};

int vit_block_rows(const vit_picture *picture) { return (picture->height + 1) / 2; }

size_t vit_scratch_samples(int width) { return (size_t)(width + 2) * 3; }

static inline int least(int a, int b) { return a < b ? a : b; }

static inline __attribute__((always_inline)) unsigned code(
    const uint8_t *row, int index, bool is_wide, int shift, unsigned mask) {
    if (!is_wide) return row[index];
    // Codes are little-endian in the accepted formats, and so are the machines.
    uint16_t value;
    __builtin_memcpy(&value, row + (ptrdiff_t)index * 2, 2);
    return ((unsigned)value >> shift) & mask;
}

// The plane's row for a row of the picture; the last row stands for missing ones.
static const uint8_t *line(const vit_plane_in *plane, int row) {
    return plane->data + plane->stride * least(row, plane->height - 1);
}

// These two are compiled separately for each kind of plane: most of the time of a reduced picture is spent here.
static inline __attribute__((always_inline)) int copy(
    const uint8_t *from, uint16_t *to, int count, int step, bool is_wide, int shift, unsigned mask) {
    for (int x = 0; x < count; x++) to[x] = (uint16_t)code(from, x * step, is_wide, shift, mask);
    return count;
}

static inline __attribute__((always_inline)) int halve(
    const uint8_t *first, const uint8_t *second, uint16_t *to, int count, int step, bool is_wide, int shift,
    unsigned mask) {
    for (int x = 0; x < count; x++) {
        int left = 2 * x * step, right = left + step;
        unsigned sum = code(first, left, is_wide, shift, mask) + code(first, right, is_wide, shift, mask)
            + code(second, left, is_wide, shift, mask) + code(second, right, is_wide, shift, mask);
        to[x] = (uint16_t)((sum + 2) / 4);
    }
    return count;
}

// Reads `count` codes of row `row` of the picture, each the mean of fx * fy samples. Beyond the plane its last sample
// is repeated.
static void read_row(const vit_picture *p, const vit_plane_in *plane, int row, int fx, int fy, int count, uint16_t *to) {
    int done = 0, step = plane->step, shift = p->shift;
    unsigned mask = p->code_mask;
    const uint8_t *first = line(plane, row * fy), *second = line(plane, row * fy + 1);
    if (fx == 1 && fy == 1) {
        int inside = least(count, plane->width);
        if (!p->is_wide) done = copy(first, to, inside, step, false, 0, 0);
        else if (step == 1 && shift == 0) done = copy(first, to, inside, 1, true, 0, mask);
        else done = copy(first, to, inside, step, true, shift, mask);
    } else if (fx == 2 && fy == 2) {
        int inside = least(count, plane->width / 2);
        if (!p->is_wide) done = halve(first, second, to, inside, step, false, 0, 0);
        else if (step == 1 && shift == 0) done = halve(first, second, to, inside, 1, true, 0, mask);
        else if (step == 1) done = halve(first, second, to, inside, 1, true, shift, mask);
        else done = halve(first, second, to, inside, step, true, shift, mask);
    }
    unsigned samples = (unsigned)(fx * fy);
    for (int x = done; x < count; x++) {
        unsigned sum = 0;
        for (int j = 0; j < fy; j++)
            for (int i = 0; i < fx; i++)
                sum += code(
                    line(plane, row * fy + j), least(x * fx + i, plane->width - 1) * step, p->is_wide, shift, mask);
        to[x] = (uint16_t)((sum + samples / 2) / samples);
    }
}

// The four columns of nodes around one pair of chroma, and the weight of each.
typedef struct {
    const vit_node *corner[4];
    float weight[4];
    // Between two nodes of luma: the lower node, and the slope to the upper. -1 for not known.
    int cell;
    vit_node base, slope;
} vit_columns;

static inline vit_node look_up(vit_columns *columns, vit_place place) {
    if (place.index != columns->cell) {
        vit_node low = {0}, high = {0};
        for (int k = 0; k < 4; k++) {
            const vit_node *node = columns->corner[k] + place.index;
            low += node[0] * columns->weight[k];
            high += node[1] * columns->weight[k];
        }
        columns->cell = place.index;
        columns->base = low;
        columns->slope = high - low;
    }
    return columns->base + columns->slope * place.fraction;
}

static void map_row(const vit_picture *p, int row, uint16_t *scratch) {
    int pairs = (p->width + 1) / 2;
    uint16_t *upper = scratch, *lower = scratch + p->width + 2, *cb = lower + p->width + 2, *cr = cb + pairs;
    read_row(p, &p->y, row * 2, p->luma_factor, p->luma_factor, pairs * 2, upper);
    read_row(p, &p->y, least(row * 2 + 1, p->height - 1), p->luma_factor, p->luma_factor, pairs * 2, lower);
    read_row(p, &p->cb, row, p->chroma_factor_x, p->chroma_factor_y, pairs, cb);
    read_row(p, &p->cr, row, p->chroma_factor_x, p->chroma_factor_y, pairs, cr);

    const vit_lattice *lattice = p->lattice;
    ptrdiff_t next_cr = lattice->luma_nodes, next_cb = next_cr * lattice->chroma_nodes;
    uint8_t *top = p->to_y.data + p->to_y.stride * (row * 2);
    uint8_t *bottom = p->to_y.data + p->to_y.stride * least(row * 2 + 1, p->height - 1);
    uint8_t *to_cb = p->to_cb.data + p->to_cb.stride * row, *to_cr = p->to_cr.data + p->to_cr.stride * row;
    const float *up = thresholds[row * 2 & 3], *down = thresholds[(row * 2 + 1) & 3];
    unsigned last_cb = UINT16_MAX, last_cr = UINT16_MAX;
    vit_columns columns = {.cell = -1};
    for (int x = 0; x < pairs; x++) {
        if (cb[x] != last_cb || cr[x] != last_cr) {
            vit_place b = p->chroma_places[cb[x]], r = p->chroma_places[cr[x]];
            const vit_node *corner = lattice->nodes + next_cb * b.index + next_cr * r.index;
            columns.corner[0] = corner;
            columns.corner[1] = corner + next_cr;
            columns.corner[2] = corner + next_cb;
            columns.corner[3] = corner + next_cb + next_cr;
            columns.weight[0] = (1 - b.fraction) * (1 - r.fraction);
            columns.weight[1] = (1 - b.fraction) * r.fraction;
            columns.weight[2] = b.fraction * (1 - r.fraction);
            columns.weight[3] = b.fraction * r.fraction;
            columns.cell = -1;
            last_cb = cb[x];
            last_cr = cr[x];
        }
        int left = x * 2, right = least(left + 1, p->width - 1);
        vit_node a = look_up(&columns, p->luma_places[upper[left]]);
        vit_node b = look_up(&columns, p->luma_places[upper[left + 1]]);
        vit_node c = look_up(&columns, p->luma_places[lower[left]]);
        vit_node d = look_up(&columns, p->luma_places[lower[left + 1]]);
        // The right pixel first: where there isn't one, the left pixel is written over it. Likewise for rows.
        bottom[right] = (uint8_t)(d[0] + down[right & 3]);
        bottom[left] = (uint8_t)(c[0] + down[left & 3]);
        top[right] = (uint8_t)(b[0] + up[right & 3]);
        top[left] = (uint8_t)(a[0] + up[left & 3]);
        vit_node mean = (a + b + c + d) * 0.25f;
        float threshold = thresholds[row & 3][x & 3];
        to_cb[(ptrdiff_t)x * p->to_cb.step] = (uint8_t)(mean[1] + threshold);
        to_cr[(ptrdiff_t)x * p->to_cr.step] = (uint8_t)(mean[2] + threshold);
    }
}

void vit_map_rows(const vit_picture *picture, int first, int end, uint16_t *scratch) {
    for (int row = first; row < end; row++) map_row(picture, row, scratch);
}
