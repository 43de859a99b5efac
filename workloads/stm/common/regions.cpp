#include "stm/common/regions.h"

#include <cstdlib>
#include <iterator>
#include <new>

namespace mmt::workloads::stm {

namespace {

constexpr unsigned kMostThreads = 256;
// Place 0 is of the sequential phases, place n + 1 of thread n in the parallel ones.
Counts places[kMostThreads + 1];
thread_local Counts* mine = &places[0];
thread_local Counts uncounted;

size_t padding = 0;

// The regions, and then what was within transactions.
constexpr const char* kNames[] = {"seq", "par", "tx", "within_tx"};
static_assert(std::size(kNames) == kRegions + 1);

void print_regions(std::FILE* to, const RegionCounts (&regions)[kRegions],
                   const RegionCounts& within_tx) {
  std::fprintf(to, "{");
  for (size_t r = 0; r <= kRegions; ++r) {
    const RegionCounts& one = r < kRegions ? regions[r] : within_tx;
    std::fprintf(to, "%s\"%s\": {", r == 0 ? "" : ", ", kNames[r]);
    for (size_t bin = 0; bin < std::size(kBounds); ++bin) {
      std::fprintf(to, "\"%zu\": %llu, ", kBounds[bin],
                   static_cast<unsigned long long>(one.bins[bin]));
    }
    std::fprintf(to, "\"larger\": %llu, \"mallocs\": %llu, \"frees\": %llu, \"bytes\": %llu}",
                 static_cast<unsigned long long>(one.bins[kBins - 1]),
                 static_cast<unsigned long long>(one.mallocs),
                 static_cast<unsigned long long>(one.frees),
                 static_cast<unsigned long long>(one.bytes));
  }
  std::fprintf(to, "}");
}

}  // namespace

void RegionCounts::add(const RegionCounts& other) {
  for (size_t bin = 0; bin < kBins; ++bin) bins[bin] += other.bins[bin];
  mallocs += other.mallocs;
  frees += other.frees;
  bytes += other.bytes;
}

Counts& my_counts() {
  mine->taken = true;
  return *mine;
}

void RegionCounts::note(size_t size) {
  size_t bin = 0;
  while (bin < std::size(kBounds) && size > kBounds[bin]) ++bin;
  ++bins[bin];
  ++mallocs;
  bytes += size;
}

void note_allocation(Counts& counts, Region region, size_t bytes) {
  counts.regions[static_cast<size_t>(region)].note(bytes);
}

void pad_blocks(size_t bytes) { padding = bytes; }

void* padded_allocate(size_t bytes) {
  if (padding == 0) return std::malloc(bytes);
  if (bytes > SIZE_MAX - padding) return nullptr;
  return std::aligned_alloc(padding, (bytes + padding - 1) & ~(padding - 1));
}

void* plain_allocate(size_t bytes) {
  void* const block = padded_allocate(bytes);
  if (block == nullptr) throw std::bad_alloc();
  Counts& counts = my_counts();
  note_allocation(counts, counts.plain, bytes);
  if (counts.transactions != 0) counts.within_tx.note(bytes);
  return block;
}

void plain_free(void* block) {
  if (block == nullptr) return;
  Counts& counts = my_counts();
  note_free(counts, counts.plain);
  if (counts.transactions != 0) ++counts.within_tx.frees;
  std::free(block);
}

ParallelPhase::ParallelPhase(unsigned number) : before_(mine) {
  if (number >= kMostThreads) {
    std::fprintf(stderr, "stamp: more than %u threads\n", kMostThreads);
    std::exit(2);
  }
  mine = &places[number + 1];
  mine->plain = Region::kPar;
}

ParallelPhase::~ParallelPhase() { mine = before_; }

Uncounted::Uncounted() : before_(mine) { mine = &uncounted; }
Uncounted::~Uncounted() { mine = before_; }

void forget_counts() {
  for (Counts& place : places) place = Counts();
}

RegionCounts sum_of(Region region) {
  RegionCounts sum;
  for (const Counts& place : places) sum.add(place.regions[static_cast<size_t>(region)]);
  return sum;
}

RegionCounts sum_within_tx() {
  RegionCounts sum;
  for (const Counts& place : places) sum.add(place.within_tx);
  return sum;
}

void print_counts(std::FILE* to) {
  RegionCounts sums[kRegions];
  for (size_t r = 0; r < kRegions; ++r) sums[r] = sum_of(static_cast<Region>(r));
  std::fprintf(to, "\"regions\": ");
  print_regions(to, sums, sum_within_tx());
  std::fprintf(to, ", \"by_thread\": [");
  const char* between = "";
  for (size_t i = 1; i < std::size(places); ++i) {
    if (!places[i].taken) continue;
    std::fprintf(to, "%s", between);
    print_regions(to, places[i].regions, places[i].within_tx);
    between = ", ";
  }
  std::fprintf(to, "]");
}

}  // namespace mmt::workloads::stm
