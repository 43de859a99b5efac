// large: blocks of 64 KiB to 64 MiB, every page written.
// - default    blocks of log-uniform size come and go. At most --blocks and --bytes live at a time.
//              Metric: blocks (seconds). --calloc asks for zeroed blocks and checks them.
// - --realloc  buffers grow by turns from 64 KiB to 64 MiB. They grow by half of their size (metric
//              grow_factor) and by 64 KiB at a time (metric grow_step). The data that was written
//              to them must still be there.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "large";
constexpr uint64_t kPage = 4096;
constexpr uint64_t kSmallest = 64 << 10;

struct Block {
  unsigned char* start;
  uint64_t size;
};

unsigned char mark_of(uint64_t offset) {
  return static_cast<unsigned char>(offset / kPage * 7 + 1);
}

void touch(unsigned char* start, uint64_t from, uint64_t to) {
  for (uint64_t at = (from + kPage - 1) & ~(kPage - 1); at < to; at += kPage)
    start[at] = mark_of(at);
}

bool marked(const Block& block) {
  for (uint64_t at = 0; at < block.size; at += kPage) {
    if (block.start[at] != mark_of(at)) return false;
  }
  return true;
}

bool zeroed(const Block& block) {
  for (uint64_t at = 0; at < block.size; at += kPage) {
    if (block.start[at] != 0) return false;
  }
  return block.start[block.size - 1] == 0;
}

class LiveSet {
 public:
  LiveSet(uint64_t blocks, uint64_t bytes) : blocks_(blocks), limit_(bytes) {}

  // Frees a random block, and more as long as there is no room for `size` bytes; returns the place.
  Block* make_room(uint64_t size, Rng* rng) {
    Block* place = &blocks_[rng->below(blocks_.size())];
    drop(place);
    while (bytes_ + size > limit_ && bytes_ > 0) drop(&blocks_[rng->below(blocks_.size())]);
    return place;
  }

  void put(Block* place, Block block) {
    *place = block;
    bytes_ += block.size;
  }

  void clear() {
    for (Block& block : blocks_) {
      require(block.start == nullptr || marked(block), kProgram, "contents of a block");
      drop(&block);
    }
  }

 private:
  void drop(Block* block) {
    if (block->start == nullptr) return;
    require(block->start[0] == mark_of(0), kProgram, "first byte of a block");
    std::free(block->start);
    bytes_ -= block->size;
    *block = {nullptr, 0};
  }

  Table<Block> blocks_;
  uint64_t limit_;
  uint64_t bytes_ = 0;
};

double come_and_go(LiveSet* live, uint64_t steps, uint64_t largest, bool ask_zeroed) {
  Rng rng(11);
  Stopwatch watch;
  for (uint64_t step = 0; step < steps; ++step) {
    uint64_t size = rng.log_uniform(kSmallest, largest);
    Block* place = live->make_room(size, &rng);
    void* start = ask_zeroed ? std::calloc(size, 1) : std::malloc(size);
    if (start == nullptr) std::abort();
    Block block{static_cast<unsigned char*>(start), size};
    if (ask_zeroed) require(zeroed(block), kProgram, "a block from calloc is not zero");
    touch(block.start, 0, size);
    live->put(place, block);
  }
  double passed = watch.lap();
  live->clear();
  return passed;
}

// `grown` tells the next size of a buffer.
template <typename Grown>
double grow(uint64_t buffers, uint64_t rounds, uint64_t largest, Grown grown) {
  double passed = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    Table<Block> all(buffers);
    Stopwatch watch;
    for (uint64_t size = kSmallest, last = 0; size <= largest; last = size, size = grown(size)) {
      for (Block& block : all) {
        auto* start = static_cast<unsigned char*>(std::realloc(block.start, size));
        if (start == nullptr) std::abort();
        touch(start, last, size);
        block = {start, size};
      }
    }
    passed += watch.lap();
    for (const Block& block : all) require(marked(block), kProgram, "contents after realloc");
    watch.lap();
    for (const Block& block : all) std::free(block.start);
    passed += watch.lap();
  }
  return passed;
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  bool reallocating = flags.given("realloc");
  bool ask_zeroed = flags.given("calloc");
  uint64_t steps = flags.number("steps", 400);
  uint64_t blocks = std::max<uint64_t>(flags.number("blocks", 16), 1);
  uint64_t bytes = flags.number("bytes", 512 << 20);
  uint64_t largest = flags.number("largest", 64 << 20);
  uint64_t buffers = flags.number("buffers", 4);
  uint64_t rounds = flags.number("rounds", 3);
  flags.finish();
  require(largest >= kSmallest && (largest & (largest - 1)) == 0, kProgram,
          "--largest is not a power of two from 64K");

  Report report(kProgram);
  if (reallocating) {
    double by_factor =
        grow(buffers, rounds, largest, [](uint64_t size) { return size + size / 2; });
    double by_step = grow(buffers, 1, largest, [](uint64_t size) { return size + kSmallest; });
    report.add("grow_factor", by_factor, "s");
    report.add("grow_step", by_step, "s");
  } else {
    LiveSet live(blocks, bytes);
    report.add("blocks", come_and_go(&live, steps, largest, ask_zeroed), "s");
  }
  return report.finish();
}
