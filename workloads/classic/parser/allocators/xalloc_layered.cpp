#include "classic/parser/allocators/xalloc_layered.h"

constinit XallocLayers xalloc_layers;
