#include "cli/registry/heaps.h"

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/installation.h"

namespace mmt::cli {
namespace {

const Named kHeaps[] = {
    {"native", "spans and free bitmaps, all metadata out of band"},
    {"kingsley", "powers of two, one list each, nothing given back: fast, up to half wasted"},
    {"kingsley-coalescing", "powers of two over blocks that are split and joined"},
    {"lea", "Doug Lea's 2.7.0: quick lists, best fit, joined with free neighbours"},
    {"phk", "Poul-Henning Kamp's: page directory and bitmaps, checks by MALLOC_OPTIONS"},
    {"hoard", "superblocks a thread heap each, with a global heap behind them"},
};

}  // namespace

std::span<const Named> known_heaps() { return kHeaps; }

std::string heap_library_path(std::string_view name, int status) {
  for (const Named& one : kHeaps) {
    if (name == one.name) return library_beside(fmt::format("libmmt-{}.so", name), status);
  }
  throw Failure(status, fmt::format("no heap '{}'; there are {}", name, names_of(kHeaps)));
}

}  // namespace mmt::cli
