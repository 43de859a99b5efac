// Threads call the heap at random: mostly rightly, now and then wrongly. What they write into
// blocks that are theirs has to be there when they look again. The heap is told to count faults and
// go on (harden_after=count). Usage: misuse SEED THREADS SECONDS. It prints how many wrong calls it
// made.

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <random>
#include <thread>
#include <vector>

namespace {

enum class Family { kMalloc, kNew, kNewArray, kAligned, kCount };

struct Block {
  unsigned char* start = nullptr;
  size_t bytes = 0;
  Family family = Family::kMalloc;
  unsigned char mark = 0;
};

constexpr std::align_val_t kAlignment{64};
std::atomic<unsigned long> wrong{0};
unsigned char in_data[64];

[[noreturn]] void fail(const char* what) {
  fprintf(stderr, "misuse: %s\n", what);
  _exit(3);
}

unsigned char* allocate(Family family, size_t bytes, unsigned way) {
  void* start = nullptr;
  switch (family) {
    case Family::kMalloc:
      start = way % 3 == 0 ? calloc(1, bytes) : way % 3 == 1 ? malloc(bytes) : memalign(256, bytes);
      break;
    case Family::kNew:
      start = operator new(bytes);
      break;
    case Family::kNewArray:
      start = operator new[](bytes);
      break;
    default:
      start = operator new(bytes, kAlignment);
  }
  return static_cast<unsigned char*>(start);
}

void release(Family family, void* start, size_t bytes, bool tells) {
  switch (family) {
    case Family::kMalloc:
      return free(start);
    case Family::kNew:
      return tells ? operator delete(start, bytes) : operator delete(start);
    case Family::kNewArray:
      return tells ? operator delete[](start, bytes) : operator delete[](start);
    default:
      return tells ? operator delete(start, bytes, kAlignment) : operator delete(start, kAlignment);
  }
}

class User {
 public:
  User(uint64_t seed, unsigned long turns_between) : random_(seed), rarity_(turns_between) {}

  void turn() {
    Block& block = blocks_[random_() % kBlocks];
    check(block);
    if (random_() % rarity_ == 0 && block.start != nullptr) return misuse(block);
    if (block.start == nullptr) return fill(block);
    if (block.family == Family::kMalloc && random_() % 3 == 0) return resize(block);
    drop(block);
  }

  void end() {
    for (Block& one : blocks_) {
      check(one);
      if (one.start != nullptr) drop(one);
    }
  }

 private:
  static constexpr size_t kBlocks = 300;

  size_t some_bytes() {
    switch (random_() % 40) {
      case 0:
        return 1 + random_() % 3000000;
      case 1:
        return 1 + random_() % 300000;
      case 2:
      case 3:
        return 1 + random_() % 20000;
      default:
        return 1 + random_() % 600;
    }
  }

  void fill(Block& block) {
    block.bytes = some_bytes();
    block.family = static_cast<Family>(random_() % static_cast<unsigned>(Family::kCount));
    block.mark = static_cast<unsigned char>(random_());
    block.start = allocate(block.family, block.bytes, static_cast<unsigned>(random_()));
    if (block.start == nullptr) fail("no memory");
    memset(block.start, block.mark, block.bytes);
  }
  void check(const Block& block) const {
    for (size_t i = 0; i < block.bytes; ++i)
      if (block.start[i] != block.mark) fail("a block has lost what it held");
  }
  void drop(Block& block) {
    release(block.family, block.start, block.bytes, random_() % 2 == 0);
    block = {};
  }
  void resize(Block& block) {
    const size_t bytes = some_bytes();
    auto* const moved = static_cast<unsigned char*>(realloc(block.start, bytes));
    if (moved == nullptr) fail("no memory to resize");
    const Block now{moved, bytes < block.bytes ? bytes : block.bytes, block.family, block.mark};
    check(now);
    block = now;
    block.bytes = bytes;
    memset(moved, block.mark, bytes);
  }

  // Wrong writes go to what the heap keeps of this block, or to a block that has just been freed.
  // No other block of the program's is touched.
  void misuse(Block& block) {
    wrong.fetch_add(1, std::memory_order_relaxed);
    unsigned char* const start = block.start;
    const size_t bytes = block.bytes;
    switch (random_() % 11) {
      case 0:  // freed twice
        drop(block);
        return free(start);
      case 1:  // within the block, whatever begins behind it
        return free(start + (bytes > 16 ? 16 * (1 + random_() % ((bytes - 1) / 16)) : 8));
      case 2:
        return free(start + 1 + random_() % 15);
      case 3: {
        unsigned char on_stack[32];
        free(reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(on_stack) & ~uintptr_t{15}));
        return free(in_data);
      }
      case 4:
        return free(reinterpret_cast<void*>(random_() & 0x7ffffffffff0));
      case 5:  // beyond its end, within the block's own tail
        if (malloc_usable_size(start) == 0) fail("a live block has no size");
        for (size_t i = 0; i < 1 + random_() % 8; ++i) start[bytes + i] = 0x41;
        return drop(block);
      case 6:  // by another family
        release(block.family == Family::kMalloc ? Family::kNew : Family::kMalloc, start, bytes,
                false);
        block = {};
        return;
      case 7:  // with another size
        release(block.family, start, bytes + 1 + random_() % 100, true);
        block = {};
        return;
      case 8:  // written after it was freed, where its pages are still there
        drop(block);
        if (bytes < 100000) start[random_() % bytes] = 0x42;
        return;
      case 9:  // resized after it was freed
        drop(block);
        if (realloc(start, 100) != nullptr) fail("a freed block was resized");
        return;
      default:
        drop(block);
        static_cast<void>(malloc_usable_size(start));
    }
  }

  std::mt19937_64 random_;
  unsigned long rarity_;
  Block blocks_[kBlocks]{};
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) fail("usage: misuse SEED THREADS SECONDS");
  const uint64_t seed = strtoull(arguments[1], nullptr, 10);
  const unsigned long threads = strtoul(arguments[2], nullptr, 10);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(atoi(arguments[3]));
  std::vector<std::thread> all;
  for (unsigned long i = 0; i < threads; ++i)
    all.emplace_back([=] {
      User user(seed * 1000 + i, 20 + 200 * (i % 3));
      while (std::chrono::steady_clock::now() < end)
        for (int turn = 0; turn < 100; ++turn) user.turn();
      user.end();
    });
  for (std::thread& one : all) one.join();
  printf("%lu wrong calls\n", wrong.load());
  return 0;
}
