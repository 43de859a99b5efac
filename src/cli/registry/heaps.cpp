#include "cli/registry/heaps.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/installation.h"
#include "cli/registry/built.h"

namespace mmt::cli {

namespace {

std::string file_of(std::string_view name) { return fmt::format("libmmt-{}.so", name); }

}  // namespace

std::vector<Named> known_heaps() {
  std::vector<Named> all{{kNativeHeap, "spans and free bitmaps, all metadata out of band"}};
  for (const Built& one : built_heaps()) {
    if (one.shown) all.push_back(one);
  }
  return all;
}

bool is_layered_heap(std::string_view name) {
  const auto heaps = built_heaps();
  return std::any_of(heaps.begin(), heaps.end(), [&](const Built& one) {
    const bool is_file = heap_library_file(one.name) == file_of(name);
    return one.name == name || is_file;
  });
}

std::string heap_library_file(std::string_view name) {
  std::string file = file_of(name);
  // What separates libraries in LD_PRELOAD, or a model's options.
  std::replace_if(
      file.begin(), file.end(), [](char c) { return c == ':' || c == '=' || c == ','; }, '-');
  return file;
}

std::string heap_library_path(std::string_view name, int status) {
  if (is_layered_heap(name)) return library_beside(heap_library_file(name), status);
  throw Failure(status, no_such("heap", name, known_heaps()));
}

}  // namespace mmt::cli
