#include "classic/parser/allocators/xalloc_inlined.h"

struct Arena xalloc_arena;
