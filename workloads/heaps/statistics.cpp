// libmmt-statistics.so is a heap that counts. At the end of the process it writes one JSON object
// to the file named by MMT_STATISTICS_FILE (%p in it: the process's number). The figures are
// objects, bytes asked for, the most that were in use at once, and operations. The library is for
// `mmt study`; it is not for speed.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mmt/core/visible.h>
#include <mmt/layers/general/kingsley_heap.h>
#include <mmt/layers/observe/statistics_heap.h>

#include "heaps/layered_process.h"

namespace mmt::names {
// The upper Size has what was asked for, the lower one what it was rounded up to.
using ProcessHeap = heaps::LayeredProcess<
    layers::Pipe<layers::SystemHeap, layers::Kingsley, layers::Size, layers::Statistics>>;
}  // namespace mmt::names

namespace {

void write_statistics() {
  const char* pattern = getenv("MMT_STATISTICS_FILE");
  if (pattern == nullptr) return;
  char path[4096];
  const char* mark = strstr(pattern, "%p");
  if (mark == nullptr) {
    snprintf(path, sizeof path, "%s", pattern);
  } else {
    snprintf(path, sizeof path, "%.*s%d%s", static_cast<int>(mark - pattern), pattern, getpid(),
             mark + 2);
  }
  const mmt::layers::HeapStatistics now = mmt::names::ProcessHeap::heap().statistics();
  char text[512];
  const int length = snprintf(text, sizeof text,
                              "{\"objects\": %zu, \"bytes\": %zu, \"peak_bytes\": %zu, "
                              "\"peak_objects\": %zu, \"operations\": %zu}\n",
                              now.mallocs, now.total_bytes, now.peak_bytes, now.peak_blocks,
                              now.mallocs + now.frees);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0 || write(file, text, static_cast<size_t>(length)) != length) {
    fprintf(stderr, "mmt: cannot write the statistics to '%s': %m\n",
            mmt::core::VisibleText<>(path).c_str());
  }
  if (file >= 0) close(file);
}

__attribute__((destructor(101))) void at_end() { write_statistics(); }

}  // namespace

#include "heaps/library.h"
