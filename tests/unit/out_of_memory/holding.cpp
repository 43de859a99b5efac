#include "unit/out_of_memory/holding.h"

#include <algorithm>

#include "heap/process/allocation.h"
#include "heap/process/process_heap.h"
#include "heap/thread/hand_over.h"
#include "support/expect.h"

namespace mmt::out_of_memory {
namespace {

// Blocks above this size have a word written here and there, each in another page. Their contents
// are moved and given back by whole pages.
constexpr size_t kWholeBytes = 64 * 1024;
constexpr size_t kStep = 15 * 4096;

// The function calls visit(at, bytes) for pieces of at most 8 bytes. The pieces are the whole
// block, or words here and there of a large one, from its start on, and its last word.
template <class Visit>
void for_each_word(char* block, size_t size, Visit&& visit) {
  const bool whole = size <= kWholeBytes;
  const size_t step = whole ? 8 : kStep;
  const size_t end = whole ? size : size - 16;
  for (size_t offset = 0; offset < end; offset += step)
    visit(block + offset, std::min(size - offset, size_t{8}));
  if (!whole) visit(block + size - 8, size_t{8});
}

uint64_t word_of(uint64_t id, size_t offset) {
  const uint64_t mixed = (id + 1) * 0x9e3779b97f4a7c15u + offset * 0xd6e8feb86659fd93u;
  return mixed ^ (mixed >> 32);
}

void fill(char* block, size_t size, uint64_t id) {
  for_each_word(block, size, [=](char* at, size_t bytes) {
    const uint64_t word = word_of(id, static_cast<size_t>(at - block));
    memcpy(at, &word, bytes);
  });
}

// The first `kept` bytes of a block that was filled at `size` bytes.
void check(char* block, size_t kept, size_t size, uint64_t id) {
  for_each_word(block, size, [=](char* at, size_t bytes) {
    const auto offset = static_cast<size_t>(at - block);
    if (offset + bytes > kept) return;
    const uint64_t word = word_of(id, offset);
    EXPECT(memcmp(at, &word, bytes) == 0, "block %p size %zu offset %zu", block, size, offset);
  });
}

void check_zero(char* block, size_t size) {
  for_each_word(block, size, [=](char* at, size_t bytes) {
    const uint64_t zero = 0;
    EXPECT(memcmp(at, &zero, bytes) == 0, "zeroed block %p size %zu offset %td", block, size,
           at - block);
  });
}

}  // namespace

bool Holding::add(void* at, size_t size) {
  EXPECT(at != nullptr || !strict_, "%zu bytes refused though nothing fails", size);
  if (at == nullptr) return false;
  EXPECT(heap::owns(heap::process_heap, at) && heap::usable_size(heap::process_heap, at) >= size);
  const Block block{static_cast<char*>(at), size, next_id_++};
  fill(block.at, block.size, block.id);
  blocks_.push_back(block);
  return true;
}

bool Holding::allocate(size_t size) { return add(heap::allocate(heap::process_heap, size), size); }

bool Holding::allocate_zeroed(size_t size) {
  void* const at = heap::allocate_zeroed(heap::process_heap, size);
  if (at != nullptr) check_zero(static_cast<char*>(at), size);
  return add(at, size);
}

bool Holding::allocate_aligned(size_t size, size_t alignment) {
  void* const at = heap::allocate_aligned(heap::process_heap, size, alignment);
  EXPECT(reinterpret_cast<uintptr_t>(at) % alignment == 0);
  return add(at, size);
}

void Holding::resize(size_t index, size_t size) {
  Block& block = blocks_[index];
  void* const at = heap::reallocate(heap::process_heap, block.at, size);
  EXPECT(at != nullptr || !strict_, "%zu bytes refused though nothing fails", size);
  if (at == nullptr) return check(block.at, block.size, block.size, block.id);
  check(static_cast<char*>(at), std::min(block.size, size), block.size, block.id);
  block = {static_cast<char*>(at), size, next_id_++};
  fill(block.at, block.size, block.id);
}

void Holding::give_back(const Block& block) {
  check(block.at, block.size, block.size, block.id);
  heap::deallocate(heap::process_heap, block.at);
}

void Holding::release(size_t index) {
  give_back(blocks_[index]);
  blocks_[index] = blocks_.back();
  blocks_.pop_back();
}

void Holding::thin_out(size_t step) {
  std::vector<Block> kept;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (i % step != 0)
      give_back(blocks_[i]);
    else
      kept.push_back(blocks_[i]);
  }
  blocks_ = kept;
}

void Holding::release_all() {
  for (const Block& block : blocks_) give_back(block);
  blocks_.clear();
}

void Holding::adopt(Holding&& other) {
  blocks_.insert(blocks_.end(), other.blocks_.begin(), other.blocks_.end());
  other.blocks_.clear();
}

void Holding::check_all() const {
  for (const Block& block : blocks_) check(block.at, block.size, block.size, block.id);
}

}  // namespace mmt::out_of_memory
