// A library for interposed_by_preload.c.

#include "support/interposed_libc.h"
