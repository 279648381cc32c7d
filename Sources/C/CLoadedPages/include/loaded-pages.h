// Pages of program files: decision 0168.
#pragma once

#include <stddef.h>

// Releases the mapped pages of the program and its libraries that can't have been written to. Pages that are used again
// come back from the page cache, without a read unless the system has needed the memory. Any thread, at any time.
// Returns how many bytes are mapped like that.
size_t vit_give_back_loaded_pages(void);
