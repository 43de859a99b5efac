#pragma once
// The pool that a process records in. All is done by raw calls, in any context.
#include <cstddef>

#include "trace/pool.h"

namespace mmt::trace {

// Where `mmt trace` waits for pools, and what it wants. Kept apart from the environment, which is
// the program's to change.
struct Reader {
  char socket[kLongestSocketPath] = {};
  bool wants_sites = false;
};

// Finds the reader that kPoolVariable names. False: there is none.
bool find_reader(Reader& reader);

struct OwnPool {
  char* base = nullptr;
  size_t chunks = 0;  // that the file has, by what this process itself knows
};

// Makes a pool, sends it to the reader, and maps it. 0, or -errno: there is none.
long begin_pool(const Reader& reader, OwnPool& pool);
// The same in the place of the pool that was the parent's before a fork; where that cannot be had,
// the parent's stays.
long renew_pool(const Reader& reader, OwnPool& pool);

}  // namespace mmt::trace
