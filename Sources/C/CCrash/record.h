// Shared by the two files of this target.
#pragma once
#include "crash.h"

// Where the run writes; null where it doesn't.
extern vit_record *_Nullable vit_the_record;

int64_t vit_boot_time(void);
