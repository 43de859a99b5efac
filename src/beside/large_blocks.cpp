#include "beside/large_blocks.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "backend/library.h"
#include "beside/resident.h"

namespace mmt::beside {

using backend::library;

namespace {

uintptr_t address_of(const void* block) { return reinterpret_cast<uintptr_t>(block); }

// A mapped block has all of its pages but a header of two words. A block in a heap reaches into the
// next one's header, and so ends eight bytes past a multiple of sixteen.
constexpr size_t kHeader = 2 * sizeof(size_t);
bool is_mapped(const void* block, size_t usable) {
  return (address_of(block) + usable) % sys::kPageSize == 0;
}
size_t mapped_bytes(void* block) { return library.usable_size(block) + kHeader; }

}  // namespace

// The threshold, of which there is one. Nobody waits for long: a thread that does not have it does
// without. Nothing is called meanwhile but the kernel.
class LargeBlocks::Held {
 public:
  explicit Held(std::atomic<bool>& is_held) : is_held_(is_held) {
    for (int i = 0; i < kSpins && !has_; ++i) {
      if (i != 0) core::cpu_relax();
      has_ = !is_held_.exchange(true, std::memory_order_acquire);
    }
  }
  ~Held() {
    if (has_) is_held_.store(false, std::memory_order_release);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  bool has() const { return has_; }

 private:
  static constexpr int kSpins = 100;

  std::atomic<bool>& is_held_;
  bool has_ = false;
};

// Where glibc is to fill what it gives out it fills all that is asked of it.
void LargeBlocks::look_around() {
  if (std::getenv("MALLOC_PERTURB_") != nullptr) stop();
}

bool LargeBlocks::is_to_be_mapped(size_t bytes) {
  if (!threshold_.is_for(bytes)) return false;
  const Held held(is_held_);
  if (!held.has()) return false;
  threshold_.look(is_mapped_at);
  return threshold_.is_for(bytes);
}

// nullptr: it would be part of a heap, or there is no memory.
void* LargeBlocks::map(size_t bytes, size_t beyond) {
  const int kept = errno;
  void* block = library.malloc(beyond);
  if (block != nullptr && is_mapped(block, library.usable_size(block))) {
    void* const cut = library.realloc(block, bytes);
    if (cut != nullptr) block = cut;
    const size_t whole = mapped_bytes(block);
    const Held held(is_held_);
    if (held.has()) threshold_.add(address_of(block), whole);
  } else {
    library.free(block);
    block = nullptr;
  }
  errno = kept;
  return block;
}

void* LargeBlocks::allocate_zeroed(size_t bytes, size_t beyond) {
  return is_to_be_mapped(bytes) ? map(bytes, beyond) : nullptr;
}

size_t LargeBlocks::take(const void* block) {
  const Held held(is_held_);
  return held.has() ? threshold_.take(address_of(block)) : MmapThreshold::kWatched;
}

void* LargeBlocks::grow_mapped(void* block, size_t bytes) {
  const size_t place = take(block);
  void* const grown = library.realloc(block, bytes);
  void* const now = grown != nullptr ? grown : block;
  const size_t whole = mapped_bytes(now);
  const Held held(is_held_);
  if (held.has()) threshold_.put(place, address_of(now), whole);
  return grown;
}

void* LargeBlocks::grow(void* block, size_t bytes, size_t beyond) {
  const size_t before = library.usable_size(block);
  if (is_mapped(block, before)) return grow_mapped(block, bytes);
  if (!threshold_.is_for(bytes)) return nullptr;
  if (!threshold_.moves(before)) {
    void* const grown = library.realloc(block, bytes);
    if (grown != nullptr) threshold_.note_growth(grown != block);
    return grown;
  }
  if (!is_to_be_mapped(bytes)) return nullptr;
  void* const moved = map(bytes, beyond);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, before);
  library.free(block);
  return moved;
}

}  // namespace mmt::beside
