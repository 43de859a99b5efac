// ObstackHeap over malloc, with chunks of the same size as the C library's.
#pragma once

#include <mmt/layers/pipe.h>
#include <mmt/layers/source/malloc_heap.h>
#include <mmt/layers/special/obstack_heap.h>

#include "classic/cfront/failure.h"

inline constexpr size_t kObstackChunk = 4064;

using ObstackLayers =
    mmt::layers::Pipe<mmt::layers::MallocHeap, mmt::layers::Obstack<kObstackChunk>>;

#include "classic/cfront/obstacks/layers_api.h"
