// Each heap here breaks one rule of heap.h, most of them in a way that some allocator once did. The
// heaps show that the checks find the fault.
#pragma once

#include <cstdint>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/layers/fit/free_list.h>
#include <mmt/layers/heap.h>

namespace mmt::layers::conformance::faulty {

template <class Super>
struct FreelistWithoutEnd : Super {
  void* malloc(size_t bytes) {
    return list.is_empty() ? Super::malloc(bytes < 8 ? 8 : bytes) : list.pop();
  }
  void free(void* block) { list.push(block); }
  static constexpr bool kOneSize = true;
  FreeList list;
};

// Loses the block that is one too many.
template <class Super>
struct ForgetfulBound : Super {
  void free(void* block) {
    if (++freed % 4 != 0) Super::free(block);
  }
  size_t freed = 0;
};

template <class Super>
struct TooSmall : Super {
  void* malloc(size_t bytes) { return Super::malloc(bytes < 16 ? bytes : bytes - 16); }
};

// Blocks of an arena, each of which begins a little before the end of the last.
template <class Super>
struct Overlapping : Super {
  void* malloc(size_t bytes) {
    if (bytes > sizeof arena - used) return nullptr;
    void* block = arena + used;
    used += core::align_up(bytes - bytes / 4 + 1, 16);
    return block;
  }
  void free(void*) {}
  alignas(16) char arena[100000];
  size_t used = 0;
};

template <class Super>
struct Misaligned : Super {
  void* malloc(size_t bytes) {
    if (bytes > kMaxRequest) return nullptr;
    auto* block = static_cast<char*>(Super::malloc(bytes + 8));
    return block == nullptr ? nullptr : block + 8;
  }
  void free(void* block) { Super::free(static_cast<char*>(block) - 8); }
};

template <class Super>
struct Wrapping : Super {
  void* malloc(size_t bytes) { return Super::malloc(core::align_up(bytes + 16, 16)); }
};

template <class Super>
struct NothingForNothing : Super {
  void* malloc(size_t bytes) { return bytes == 0 ? nullptr : Super::malloc(bytes); }
};

template <class Super>
struct SaysTooLittle : Super {
  size_t get_size(const void*) const { return 4; }
};

template <class Super>
struct SaysTooMuch : Super {
  size_t get_size(const void* block) const { return Super::get_size(block) + 8; }
};

template <class Super>
struct ExpandsInWords : Super {
  bool expand(void* block, size_t bytes) { return bytes <= Super::get_size(block) + 40; }
  void get_size(const void*) const = delete;
};

// Cleans what it thinks is free.
template <class Super>
struct WritesInto : Super {
  void* malloc(size_t bytes) {
    void* block = Super::malloc(bytes);
    if (last != nullptr && calls++ % 3 == 0) *last = 0;
    last = bytes >= 8 ? static_cast<char*>(block) : nullptr;
    return block;
  }
  void free(void* block) {
    if (block == last) last = nullptr;
    Super::free(block);
  }
  char* last = nullptr;
  size_t calls = 0;
};

template <class Super>
struct WritesAfterFree : Super {
  void free(void* block) {
    Super::free(block);
    memset(block, 0, 1);
  }
};

template <class Super>
struct FreesTwice : Super {
  void free(void* block) {
    Super::free(block);
    if (++calls == 5) Super::free(block);
  }
  size_t calls = 0;
};

template <class Super>
struct OwnsAll : Super {
  bool owns(const void*) const { return true; }
};

template <class Super>
struct OwnsNothing : Super {
  bool owns(const void*) const { return false; }
};

template <class Super>
struct PromisesMore : Super {
  size_t good_size(size_t bytes) const { return bytes > kMaxRequest ? 0 : bytes + 4096; }
};

template <class Super>
struct PromisesTheImpossible : Super {
  size_t good_size(size_t bytes) const { return bytes; }
};

template <class Super>
struct ClearsNothing : Super {
  void clear() {}
};

template <class Super>
struct AlignsToSixteen : Super {
  Block allocate(size_t bytes, size_t) { return Super::allocate(bytes, 16); }
};

template <class Super>
struct SaysAsked : Super {
  Block allocate(size_t bytes, size_t alignment) {
    return {Super::allocate(bytes, alignment).data, bytes};
  }
};

// As an old realloc did: the old block is gone before there is a new one.
template <class Super>
struct ReallocFreesFirst : Super {
  void* realloc(void* block, size_t bytes) {
    if (block == nullptr) return Super::malloc(bytes);
    const size_t size = Super::get_size(block);
    if (bytes <= size) return block;
    void* moved = Super::malloc(bytes);
    if (moved != nullptr) memcpy(moved, block, size);
    Super::free(block);
    return moved;
  }
};

template <class Super>
struct ReallocForgets : Super {
  void* realloc(void* block, size_t bytes) {
    void* moved = Super::malloc(bytes);
    if (moved != nullptr && block != nullptr) Super::free(block);
    return moved;
  }
};

template <class Super>
struct CallocWraps : Super {
  void* calloc(size_t count, size_t size) {
    void* block = Super::malloc(count * size);
    return block == nullptr ? nullptr : memset(block, 0, count * size);
  }
};

template <class Super>
struct CallocLeavesDirt : Super {
  void* calloc(size_t count, size_t size) {
    size_t bytes;
    return core::checked_multiply(count, size, &bytes) ? Super::malloc(bytes) : nullptr;
  }
};

template <class Super>
struct KeepsInWords : Super {
  static constexpr bool kKeepsAll = true;
};

template <class Super>
struct ContiguousInWords : Super {
  static constexpr bool kContiguous = true;
};

// Needs two blocks, and when it gets but one, forgets that.
template <class Super>
struct HalfDone : Super {
  void* malloc(size_t bytes) {
    void* side = Super::malloc(16);
    if (side == nullptr) return nullptr;
    void* block = Super::malloc(bytes);
    if (block != nullptr) Super::free(side);
    return block;
  }
};

template <class Super>
struct NeverReuses : Super {
  void free(void* block) { list.push(block); }
  void* malloc(size_t bytes) { return Super::malloc(bytes < 8 ? 8 : bytes); }
  ~NeverReuses() {
    while (!list.is_empty()) Super::free(list.pop());
  }
  FreeList list;
};

template <class Super>
struct SaysWrongSize : Super {
  void free(void* block) { Super::free(block); }
  void free(void* block, size_t bytes) { Super::free(block, bytes + 1); }
};

// Dies of its first failure.
template <class Super>
struct NeverRecovers : Super {
  void* malloc(size_t bytes) {
    void* block = is_dead ? nullptr : Super::malloc(bytes);
    is_dead |= block == nullptr;
    return block;
  }
  bool is_dead = false;
};

// Gives back its blocks but those in use, though it says that it owns them.
template <class Super>
struct LeavesBlocks : Super {};

// Can be copied, and then frees twice.
class Copyable {
 public:
  static constexpr size_t kAlignment = 16;
  static constexpr size_t kSkew = 0;
  void* malloc(size_t) { return nullptr; }
  void free(void*) {}

 private:
  [[maybe_unused]] char* memory_ = nullptr;
};

}  // namespace mmt::layers::conformance::faulty
