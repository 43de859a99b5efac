// Page runs of free blocks against a byte-by-byte answer, for every class and random bitmaps.
#include "heap/store/free_pages.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::store {
namespace {

std::vector<bool> free_pages_slowly(SizeClass c, const uint64_t* words, size_t least) {
  const ClassInfo& info = kClasses[c];
  const size_t pages = (size_t{info.span_slots} << kSlotShift) / sys::kPageSize;
  std::vector<bool> free(pages, true);
  for (uint32_t i = 0; i < info.blocks; ++i) {
    if ((words[i / 64] >> (i % 64) & 1) != 0) continue;
    const size_t end =
        i + 1 == info.blocks ? size_t{info.span_slots} << kSlotShift : (size_t{i} + 1) * info.size;
    const size_t last = end - 1;
    for (size_t p = size_t{i} * info.size / sys::kPageSize; p <= last / sys::kPageSize; ++p)
      free[p] = false;
  }
  for (size_t begin = 0; begin < pages;) {
    size_t end = begin;
    while (end < pages && free[end]) ++end;
    if ((end - begin) * sys::kPageSize < least)
      for (size_t p = begin; p < end; ++p) free[p] = false;
    begin = end + 1;
  }
  return free;
}

TEST(FreePages, AreThoseWithoutALiveBlock) {
  std::mt19937_64 random(11);
  for (SizeClass c = 1; c < kClassCount; ++c) {
    const ClassInfo& info = kClasses[c];
    for (int round = 0; round < 60; ++round) {
      uint64_t words[kMaxBitmapWords] = {};
      for (uint32_t i = 0; i < info.blocks; ++i) words[i / 64] |= uint64_t{1} << (i % 64);
      const auto live = static_cast<uint32_t>(round) * info.blocks / 60;
      for (uint32_t i = 0; i < (round < 30 ? static_cast<uint32_t>(round) : live); ++i) {
        const auto block = static_cast<uint32_t>(random() % info.blocks);
        words[block / 64] &= ~(uint64_t{1} << (block % 64));
      }
      const size_t least = sys::kPageSize << (random() % 4);
      std::vector<bool> found((size_t{info.span_slots} << kSlotShift) / sys::kPageSize);
      size_t previous_end = 0;
      for_each_free_run(c, words, least, [&](size_t offset, size_t bytes) {
        ASSERT_EQ(offset % sys::kPageSize, 0u);
        ASSERT_EQ(bytes % sys::kPageSize, 0u);
        ASSERT_GE(bytes, least);
        ASSERT_GE(offset, previous_end);
        previous_end = offset + bytes;
        ASSERT_LE(previous_end, found.size() * sys::kPageSize);
        for (size_t p = offset / sys::kPageSize; p < previous_end / sys::kPageSize; ++p)
          found[p] = true;
      });
      const std::vector<bool> expected = free_pages_slowly(c, words, least);
      ASSERT_EQ(found, expected) << "class " << c << " round " << round;
    }
  }
}

TEST(FreePages, OfASpanWithoutFreeBlocksAreNone) {
  const uint64_t words[kMaxBitmapWords] = {};
  for (SizeClass c = 1; c < kClassCount; ++c)
    for_each_free_run(c, words, 1, [](size_t, size_t) { FAIL(); });
}

}  // namespace
}  // namespace mmt::store
