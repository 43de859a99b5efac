// The layers, inlined wherever the parser uses them: its sources are compiled as C++ then.
#pragma once

#include "classic/parser/allocators/xalloc_layers.h"

extern XallocLayers xalloc_layers;

inline void xalloc_open() {}
inline void* xalloc(size_t bytes) { return take_of(xalloc_layers, bytes); }
inline void xfree(void* block) { xalloc_layers.free(block); }
inline void xfree_all() { xalloc_layers.clear(); }
