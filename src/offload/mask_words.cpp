#include "offload/mask_words.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mmt::offload {
namespace {

using native::ClassInfo;
using native::kClasses;
using native::kSlotShift;

constexpr int kPositionShift = static_cast<int>(kSlotShift) - 6;

uint64_t span_mask_of(const ClassInfo& info) {
  return (uint64_t{info.span_slots} << kSlotShift) - 1;
}

// The word being filled, and those before it. Without branches on the position: whether the next
// block belongs to the same word cannot be foreseen.
class Filler {
 public:
  explicit Filler(MaskWord* out) : next_(out) {}

  void add(uint64_t position, uint64_t bit) {
    const uint64_t same = -static_cast<uint64_t>(position == position_);  // all ones or none
    bits_ = (bits_ & same) | bit;
    next_ += 1 + static_cast<int64_t>(same);
    position_ = position;
    next_[-1] = {bits_, position};
  }
  uint32_t count(const MaskWord* out) const { return static_cast<uint32_t>(next_ - out); }

  uint64_t position() const { return position_; }
  uint64_t bits() const { return bits_; }
  void set_bits(uint64_t bits) { next_[-1].bits = bits_ = bits; }

 private:
  MaskWord* next_;
  uint64_t position_ = ~uint64_t{0};
  uint64_t bits_ = 0;
};

void add_block(Filler& filler, uint64_t base, uint64_t span_mask, uint64_t reciprocal,
               const void* block) {
  const uint64_t offset = reinterpret_cast<uintptr_t>(block) - base;
  const uint64_t within = offset & span_mask;
  const uint64_t index = within * reciprocal >> 32;
  filler.add((offset - within) >> kPositionShift | index >> 6, uint64_t{1} << (index & 63));
}

#if defined(__x86_64__)
// Four blocks at a time: their words and bits side by side. Mostly all four belong to the word
// being filled, whose bits are then gathered without leaving the vector.
__attribute__((target("avx2"))) uint32_t encode_masks_avx2(const char* base, native::SizeClass c,
                                                           void* const* blocks, size_t count,
                                                           MaskWord* out) {
  const ClassInfo& info = kClasses[c];
  const auto base_number = reinterpret_cast<uintptr_t>(base);
  const __m256i bases = _mm256_set1_epi64x(static_cast<long long>(base_number));
  const __m256i span_masks = _mm256_set1_epi64x(static_cast<long long>(span_mask_of(info)));
  const __m256i reciprocals = _mm256_set1_epi64x(info.reciprocal);
  const __m256i ones = _mm256_set1_epi64x(1);
  const __m256i low_bits = _mm256_set1_epi64x(63);
  Filler filler(out);
  __m256i current = _mm256_set1_epi64x(-1);
  __m256i gathered = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(blocks + i));
    const __m256i offset = _mm256_sub_epi64(block, bases);
    const __m256i within = _mm256_and_si256(offset, span_masks);
    const __m256i index = _mm256_srli_epi64(_mm256_mul_epu32(within, reciprocals), 32);
    const __m256i start = _mm256_srli_epi64(_mm256_sub_epi64(offset, within), kPositionShift);
    const __m256i position = _mm256_or_si256(start, _mm256_srli_epi64(index, 6));
    const __m256i bit = _mm256_sllv_epi64(ones, _mm256_and_si256(index, low_bits));
    const __m256i same = _mm256_cmpeq_epi64(position, current);
    if (_mm256_movemask_epi8(same) == -1) {
      gathered = _mm256_or_si256(gathered, bit);
      continue;
    }
    alignas(32) uint64_t positions[4];
    alignas(32) uint64_t bits[4];
    if (i != 0) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(bits), gathered);
      filler.set_bits(filler.bits() | bits[0] | bits[1] | bits[2] | bits[3]);
    }
    _mm256_store_si256(reinterpret_cast<__m256i*>(positions), position);
    _mm256_store_si256(reinterpret_cast<__m256i*>(bits), bit);
    for (size_t k = 0; k < 4; ++k) filler.add(positions[k], bits[k]);
    current = _mm256_set1_epi64x(static_cast<long long>(positions[3]));
    gathered = _mm256_setzero_si256();
  }
  if (i != 0) {
    alignas(32) uint64_t bits[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(bits), gathered);
    filler.set_bits(filler.bits() | bits[0] | bits[1] | bits[2] | bits[3]);
  }
  for (; i < count; ++i)
    add_block(filler, base_number, span_mask_of(info), info.reciprocal, blocks[i]);
  return filler.count(out);
}
#endif

}  // namespace

uint32_t encode_masks_portably(const char* base, native::SizeClass c, void* const* blocks,
                               size_t count, MaskWord* out) {
  const ClassInfo& info = kClasses[c];
  const auto base_number = reinterpret_cast<uintptr_t>(base);
  Filler filler(out);
  for (size_t i = 0; i < count; ++i)
    add_block(filler, base_number, span_mask_of(info), info.reciprocal, blocks[i]);
  return filler.count(out);
}

EncodeMasks best_mask_encoder() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) return encode_masks_avx2;
#endif
  return encode_masks_portably;
}

}  // namespace mmt::offload
