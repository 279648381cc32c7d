#define _GNU_SOURCE
#include "loaded-pages.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
    uintptr_t page;
    size_t mapped;
} Walk;

// Whether a library has relocations in its code, so that its code pages were written to; the linker marks such
// libraries.
static int has_written_code(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return 1;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return 1;
        }
        return 0;
    }
    // The kernel's own object, and others without such a table, are left alone.
    return 1;
}

// Whether the range shares a page with another part: pages can be larger than the linker assumed.
static int shares_page(const struct dl_phdr_info *object, uintptr_t begin, uintptr_t end, uintptr_t page)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
        uintptr_t first = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t last = object->dlpi_addr + part->p_vaddr + part->p_memsz;
        if (first < end && begin < last) return 1;
    }
    return 0;
}

static int give_back(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size;
    Walk *walk = data;
    if (has_written_code(object)) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        // Data that become read-only after relocation are in a writable part.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
        uintptr_t begin = (object->dlpi_addr + part->p_vaddr) & ~(walk->page - 1);
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz + walk->page - 1) & ~(walk->page - 1);
        if (shares_page(object, begin, end, walk->page)) continue;
        if (madvise((void *)begin, end - begin, MADV_DONTNEED) == 0) walk->mapped += end - begin;
    }
    return 0;
}

size_t vit_give_back_loaded_pages(void)
{
    Walk walk = {.page = (uintptr_t)sysconf(_SC_PAGESIZE)};
    dl_iterate_phdr(give_back, &walk);
    return walk.mapped;
}
