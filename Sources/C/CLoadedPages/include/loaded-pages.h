// Pages of program files: docs/decisions/0168-memory-while-it-plays.md.
#pragma once

#include <stddef.h>

// Takes what is mapped of the program and its libraries, and can't have been written to, out of this process. What is used again comes
// back from the page cache, without a read where the system hasn't needed the memory. Any thread, at any time. How many bytes are mapped
// so.
size_t vit_give_back_loaded_pages(void);
