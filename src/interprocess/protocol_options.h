#pragma once
// The protocols' constants and choices, which the paper discusses in its section III. They come
// from MMT_PROTOCOL_OPTIONS, "name=value,..."; the CLI checks what it puts there, and nothing else
// does: what is not understood is left at its default.
#include <cstdint>

#include "interprocess/option_table.h"

namespace mmt::backend {

enum class Refill : uint32_t { kAtOnce, kAtHalf };
enum class Buckets : uint32_t { kRequest, kChunk };
enum class LockWait : uint32_t { kSleeping, kSpinning };
enum class LibraryKind : uint32_t { kThreadSafe, kSingleThreaded };
enum class Model : uint32_t { kClientServer, kForkJoin };

struct Options {
  uint32_t base = 400;     // blocks a bucket holds for a request of 0 bytes
  uint32_t slope = 4;      // and how many more for each byte
  uint32_t most = 32;      // MiB for which buckets have room, all in all; 0: no limit
  uint32_t largest = 512;  // bytes; larger requests wait for the memory thread
  uint32_t learn = 0;      // requests of a size before its first bucket is prepared
  Refill refill = Refill::kAtOnce;
  Buckets buckets = Buckets::kRequest;
  uint32_t queue = 200;  // freed blocks that are handed over at a time
  uint32_t depth = 3;    // blocks at the end of the shared queue that serve the next request
  LockWait lock = LockWait::kSleeping;
  Model model = Model::kClientServer;
  LibraryKind library = LibraryKind::kThreadSafe;
  uint32_t start = 1 << 20;  // bytes allocated before the memory thread is started
  uint32_t starve = 0;       // ms that the thread sleeps after its first round; for tests
  uint32_t patience = 200;   // ms that a thread waits for an answer or a lock
  uint32_t ahead = 8;        // MiB that are made resident ahead of the program, at most
  uint32_t huge = 16;        // MiB that a heap has grown by before huge pages are tried; 0: never
  uint32_t pad = 16;         // MiB that the heap's end lies ahead; 0: as the library has it
};

// Read once, before the program's first allocation is served; unchanged since.
extern Options options;
void read_options();

// All there are; rows are of struct Options, an owner is a protocol or a group of them.
::mmt::options::Table option_table();

}  // namespace mmt::backend
