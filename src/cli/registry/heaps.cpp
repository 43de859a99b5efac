#include "cli/registry/heaps.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/installation.h"
#include "cli/registry/built.h"

namespace mmt::cli {

std::vector<Named> known_heaps() {
  std::vector<Named> all{{kNativeHeap, "spans and free bitmaps, all metadata out of band"}};
  for (const Built& one : built_heaps()) {
    if (one.shown) all.push_back(one);
  }
  return all;
}

bool is_layered_heap(std::string_view name) {
  const auto heaps = built_heaps();
  return std::any_of(heaps.begin(), heaps.end(),
                     [&](const Built& one) { return one.name == name; });
}

std::string heap_library_path(std::string_view name, int status) {
  if (is_layered_heap(name)) return library_beside(fmt::format("libmmt-{}.so", name), status);
  throw Failure(status, no_such("heap", name, known_heaps()));
}

}  // namespace mmt::cli
