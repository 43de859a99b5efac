// ObstackHeap over a list of free chunks, for chunks of the usual size; larger ones come from
// malloc (the paper's section 5.2).
#pragma once

#include <mmt/layers/combine/hybrid_heap.h>
#include <mmt/layers/fit/freelist_heap.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/special/obstack_heap.h>

#include "classic/cfront/failure.h"

inline constexpr size_t kObstackChunk = 4064;

using ObstackLayers = mmt::layers::Pipe<mmt::layers::MallocHeap,
                                        mmt::layers::Hybrid<kObstackChunk, mmt::layers::Freelist>,
                                        mmt::layers::Obstack<kObstackChunk>>;

#include "classic/cfront/obstacks/layers_api.h"
