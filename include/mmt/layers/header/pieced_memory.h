// What CoalesceableHeap has its blocks in: pieces of memory from the super-heap, with kGrowth bytes
// to spare where they can be had. Memory that a contiguous super-heap gives right behind the last
// piece makes that longer. A piece begins with its length; blocks follow; it ends with the word of
// a block of size 0, which is in use for ever. One thread may use it.
#pragma once

#include <cstddef>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/layers/header/boundary_tags.h>
#include <mmt/layers/heap.h>

namespace mmt::layers {

struct Piece {
  Piece* before;
  size_t bytes;

  static constexpr size_t kFirst =
      core::align_up(2 * sizeof(size_t) + 2 * BoundaryTags::kWord, kBlockAlignment);

  char* begin() { return reinterpret_cast<char*>(this); }
  char* first() { return begin() + kFirst; }
  // The block of size 0: the memory ends where it begins.
  char* end() { return begin() + bytes; }
  void set_bytes(size_t length) {
    bytes = length;
    BoundaryTags::word_of(end()) = 0;
  }
};

template <size_t kGrowth, class Super>
class PiecedMemory : public Super {
 public:
  using Super::Super;
  PiecedMemory(const PiecedMemory&) = delete;
  PiecedMemory& operator=(const PiecedMemory&) = delete;
  ~PiecedMemory() {
    release([](Piece*) { return true; });
  }

  // The end of the last piece, and that piece. Null: there is none.
  char* end() const { return end_; }
  Piece* last_piece() const { return last_; }

  // At least so many bytes for blocks: behind end(), where `held` bytes before it count among them,
  // or in a further piece. Where the memory begins; null, and nothing has changed.
  char* take(size_t bytes, size_t held) {
    const size_t missing = kIsContiguous<Super> ? bytes - held : bytes;
    char* memory = take_some(core::align_up(Piece::kFirst + missing + kGrowth, kPage), bytes);
    return memory != nullptr ? memory : take_some(Piece::kFirst + bytes, bytes);
  }
  // Gives back whole pages at the end of the last piece, of which so many bytes are free.
  bool shorten(size_t bytes) {
    if constexpr (requires { Super::shrink(bytes); }) {
      const size_t surplus = core::align_down(bytes, kPage);
      if (surplus == 0 || !Super::shrink(surplus)) return false;
      last_->set_bytes(last_->bytes - surplus);
      end_ = last_->end();
      return true;
    }
    return false;
  }
  // Gives back the pieces for which is_unused(piece).
  template <class Condition>
  void release(Condition is_unused) {
    for (Piece** link = &last_; *link != nullptr;) {
      Piece* piece = *link;
      Piece* before = piece->before;
      if (!is_unused(piece)) {
        link = &piece->before;
        continue;
      }
      if (piece->end() == end_) end_ = nullptr;
      *link = before;
      Super::free(piece);
    }
  }

  MMT_ALWAYS_INLINE bool owns(const void* address) const {
    if (MMT_LIKELY(address >= last_ && address < end_)) return true;
    return is_in_any_piece(address);
  }
  template <class Visit>
  void for_each_piece(Visit visit) const {
    for (Piece* piece = last_; piece != nullptr; piece = piece->before) visit(piece);
  }

 private:
  static constexpr size_t kPage = 4096;

  char* take_some(size_t asked, size_t bytes) {
    void* memory = Super::malloc(asked);
    if (memory == nullptr) return nullptr;
    if (kIsContiguous<Super> && memory == end_) {
      last_->set_bytes(last_->bytes + core::align_down(asked, kBlockAlignment));
      end_ = last_->end();
      return static_cast<char*>(memory);
    }
    if constexpr (SizedHeap<Super>) asked = Super::get_size(memory);
    if (asked < Piece::kFirst + bytes) {
      Super::free(memory);
      return nullptr;
    }
    auto* piece = static_cast<Piece*>(memory);
    piece->before = last_;
    piece->set_bytes(core::align_down(asked, kBlockAlignment));
    last_ = piece;
    end_ = piece->end();
    return piece->first();
  }
  MMT_NOINLINE bool is_in_any_piece(const void* address) const {
    bool is_inside = false;
    for_each_piece(
        [&](Piece* piece) { is_inside |= address >= piece->begin() && address < piece->end(); });
    return is_inside;
  }

  char* end_ = nullptr;
  Piece* last_ = nullptr;
};

}  // namespace mmt::layers
