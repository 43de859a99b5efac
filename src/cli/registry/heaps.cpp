#include "cli/registry/heaps.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/registry/allocators.h"
#include "cli/registry/built.h"
#include "command/failure.h"
#include "programs/installation.h"
#include "sim/spec/spec.h"

namespace mmt::cli {

using command::Failure;
using programs::library_beside;

namespace {

std::string file_of(std::string_view name) { return fmt::format("libmmt-{}.so", name); }

// A model's shortest name; of what is no model, the name itself.
std::string shortest(std::string_view name) {
  try {
    return sim::canonical(sim::parse_spec(name));
  } catch (const sim::SpecError&) {
    return std::string(name);
  }
}

bool is_other_allocator(std::string_view name) {
  const auto all = known_allocators();
  return name != "mmt" && std::any_of(all.begin(), all.end(),
                                      [&](const AllocatorInfo& one) { return one.name == name; });
}

bool is_model(std::string_view name) {
  try {
    sim::parse_spec(name);
    return true;
  } catch (const sim::SpecError&) {
    return false;
  }
}

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
  const std::string wanted = shortest(name);
  return std::any_of(heaps.begin(), heaps.end(), [&](const Built& one) {
    const bool is_file = heap_library_file(one.name) == file_of(name);
    return shortest(one.name) == wanted || is_file;
  });
}

void refuse_model(std::string_view name, int status) {
  if (is_layered_heap(name) || !is_model(name)) return;
  throw Failure(status,
                fmt::format("'{}' is a model, which no heap has: 'mmt simulate' runs traces "
                            "on it, 'mmt list heaps' tells what programs run on",
                            name));
}

std::string heap_library_file(std::string_view name) {
  std::string file = file_of(name);
  // What separates libraries in LD_PRELOAD, or a model's options.
  std::replace_if(
      file.begin(), file.end(), [](char c) { return c == ':' || c == '=' || c == ','; }, '-');
  return file;
}

std::string heap_library_path(std::string_view name, int status) {
  refuse_model(name, status);
  for (const Built& one : built_heaps()) {
    const bool is_file = heap_library_file(one.name) == file_of(name);
    if (shortest(one.name) != shortest(name) && !is_file) continue;
    return library_beside(heap_library_file(one.name), status);
  }
  if (is_other_allocator(name)) {
    throw Failure(status, fmt::format("'{0}' is no heap but an allocator; did you mean "
                                      "'--backend {0}'?",
                                      name));
  }
  if (name == "mmt") throw Failure(status, "no heap 'mmt'; did you mean 'native', MMT's own?");
  throw Failure(status, no_such("heap", name, known_heaps()));
}

}  // namespace mmt::cli
