#pragma once
// The settings of glibc's allocator, which the module Glibc leaves out.
#include <malloc.h>
