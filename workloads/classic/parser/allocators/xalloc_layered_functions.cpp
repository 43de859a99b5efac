// The layers behind functions of C, which the parser calls.
#include "classic/parser/allocators/xalloc_layers.h"
#include "classic/parser/allocators/xalloc_monolithic.h"

static XallocLayers layers;

void xalloc_open() {}
void* xalloc(size_t bytes) { return take_of(layers, bytes); }
void xfree(void* block) { layers.free(block); }
void xfree_all() { layers.clear(); }
