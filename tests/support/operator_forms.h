// Calls every form of operator new and delete, and checks which come to those that somebody has
// replaced, by their counts.
#pragma once

#include <new>

#include "support/headed_blocks.h"

// Whose blocks are counted.
struct Replaced {
  HeadedCounts* counts;
  bool one;          // of operator new
  bool array;        // of operator new[]
  bool one_aligned;  // of both with an alignment
  bool array_aligned;
};

class OperatorForms {
 public:
  // All blocks are alive together, so that none is handed out twice.
  static void check(const Replaced& replaced) {
    for (size_t size = 1; size < 100'000; size = size * 2 + 1) {
      check_plain(replaced, size);
      check_aligned(replaced, size);
    }
    check_heap();
  }

 private:
  template <class Take, class Give>
  static void check_form(HeadedCounts* counts, bool is_counted, size_t size, Take&& take,
                         Give&& give) {
    constexpr int kCount = 8;
    void* blocks[kCount];
    const HeadedCounts before = *counts;
    for (void*& block : blocks) {
      block = take();
      OPAQUE(block);
      EXPECT(block != nullptr);
      memset(block, 0x5a, size);
    }
    for (void* block : blocks) give(block);
    const long expected = is_counted ? kCount : 0;
    EXPECT(counts->taken - before.taken == expected, "%ld of %ld", counts->taken - before.taken,
           expected);
    EXPECT(counts->given - before.given == expected, "%ld of %ld", counts->given - before.given,
           expected);
  }

  static void check_plain(const Replaced& r, size_t n) {
    const std::nothrow_t& quiet = std::nothrow;
    const auto one = [=] { return operator new(n); };
    check_form(r.counts, r.one, n, one, [](void* p) { operator delete(p); });
    check_form(r.counts, r.one, n, one, [=](void* p) { operator delete(p, n); });
    check_form(r.counts, r.one, n, one, [&](void* p) { operator delete(p, quiet); });
    check_form(
        r.counts, r.one, n, [&] { return operator new(n, quiet); },
        [=](void* p) { operator delete(p, n); });
    const auto many = [=] { return operator new[](n); };
    check_form(r.counts, r.array, n, many, [](void* p) { operator delete[](p); });
    check_form(r.counts, r.array, n, many, [=](void* p) { operator delete[](p, n); });
    check_form(r.counts, r.array, n, many, [&](void* p) { operator delete[](p, quiet); });
    check_form(
        r.counts, r.array, n, [&] { return operator new[](n, quiet); },
        [=](void* p) { operator delete[](p, n); });
  }

  static void check_aligned(const Replaced& r, size_t n) {
    const std::nothrow_t& quiet = std::nothrow;
    const std::align_val_t a{64};
    const auto one = [=] { return operator new(n, a); };
    check_form(r.counts, r.one_aligned, n, one, [=](void* p) { operator delete(p, a); });
    check_form(r.counts, r.one_aligned, n, one, [=](void* p) { operator delete(p, n, a); });
    check_form(r.counts, r.one_aligned, n, one, [&](void* p) { operator delete(p, a, quiet); });
    check_form(
        r.counts, r.one_aligned, n, [&] { return operator new(n, a, quiet); },
        [=](void* p) { operator delete(p, n, a); });
    const auto many = [=] { return operator new[](n, a); };
    check_form(r.counts, r.array_aligned, n, many, [=](void* p) { operator delete[](p, a); });
    check_form(r.counts, r.array_aligned, n, many, [=](void* p) { operator delete[](p, n, a); });
    check_form(r.counts, r.array_aligned, n, many,
               [&](void* p) { operator delete[](p, a, quiet); });
    check_form(
        r.counts, r.array_aligned, n, [&] { return operator new[](n, a, quiet); },
        [=](void* p) { operator delete[](p, n, a); });
  }

  // malloc's own blocks overlap nothing.
  static void check_heap() {
    constexpr int kCount = 2000;
    static unsigned char* blocks[kCount];
    for (int i = 0; i < kCount; ++i) {
      blocks[i] = static_cast<unsigned char*>(malloc(96));
      memset(blocks[i], i & 0x7f, 96);
    }
    for (int i = 0; i < kCount; ++i) {
      for (int k = 0; k < 96; ++k) EXPECT(blocks[i][k] == (i & 0x7f), "block %d", i);
      free(blocks[i]);
    }
  }
};
