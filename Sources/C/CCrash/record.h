// Declarations that the two files of this target share.
#pragma once
#include "crash.h"

// The run's record; null without one.
extern vit_record *_Nullable vit_the_record;

int64_t vit_boot_time(void);
