// Dies while it writes down what it dies of: the record is gone from under the handler, which is a fault of another kind (SIGBUS).
//
// usage: try-crash RECORD
#define _GNU_SOURCE
#include "crash.h"

#include <stdio.h>
#include <unistd.h>

int main(int count, char **words)
{
    if (count != 2) return 64;
    if (vit_record_open(words[1], "boot", "try-crash", -1) != 0 || vit_crash_install() != 0) return 1;
    if (truncate(words[1], 0) != 0) return 1;
    *(volatile int *)NULL = 0;
    return 0;
}
