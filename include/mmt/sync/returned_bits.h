// Bits that any thread leaves in a table of words, for the next holder of a lock: blocks given back
// without waiting for it. The words form groups (a span's bitmap), and each group has a mark in a
// second table. One flag for all says that there are marks, so that a look at nothing reads one
// line.
//
// Calls: leave() by any thread. The holder calls begin(). When it says yes, the holder calls
// take_marks() of every word of marks, and take() of every word of the groups so marked. It calls
// put_off() if it stops before the end. A bit that was left is taken once, by a holder that begins
// after leave() has returned or by one before. It may be taken before its mark: take() of a marked
// group may find nothing.
//
// The flag is written by read-modify-writes only. A thread that finds it set is therefore ordered
// after all that set it, and not only the last. All zero is valid: nothing was left.
#pragma once

#include <cstdint>

#include <mmt/core/compiler.h>
#include <mmt/sync/model.h>

namespace mmt::sync {

inline constexpr OrderSite kReturnedLeave{
    "returned_bits.leave", std::memory_order_release,
    "kReturnedTake: the thread that leaves a block is done with it before it is taken"};
inline constexpr OrderSite kReturnedMark{
    "returned_bits.mark", std::memory_order_release,
    "kReturnedTakeMarks: the bit is there before its group's mark is taken; it would be lost"};
inline constexpr OrderSite kReturnedSignal{
    "returned_bits.signal", std::memory_order_release,
    "kReturnedBegin: the mark is there before the flag is taken; it would be overlooked"};
inline constexpr OrderSite kReturnedBegin{
    "returned_bits.begin", std::memory_order_acquire,
    "kReturnedSignal: marks are looked for only after they were made"};
inline constexpr OrderSite kReturnedTakeMarks{
    "returned_bits.take_marks", std::memory_order_acquire,
    "kReturnedMark: bits are looked for only after they were left"};
inline constexpr OrderSite kReturnedTake{
    "returned_bits.take", std::memory_order_acquire,
    "kReturnedLeave: a block is used again only after the thread that left it was done"};

template <class Sync = RealSync>
class ReturnedBits {
 public:
  using Word = typename Sync::template Atomic<uint64_t>;

  // Any thread may call it. Bit `bit` of `word`, which nobody else leaves meanwhile; the word's
  // group has bit `mark` of `marks`. Both are below 64. Never waits.
  void leave(Word& word, uint32_t bit, Word& marks, uint32_t mark) {
    leave_all(word, uint64_t{1} << bit, marks, mark);
  }

  // Does the same with all these bits.
  void leave_all(Word& word, uint64_t bits, Word& marks, uint32_t mark) {
    word.fetch_or(bits, Sync::order(kReturnedLeave));
    const uint64_t group = uint64_t{1} << mark;
    const bool marked = (marks.fetch_or(group, Sync::order(kReturnedMark)) & group) != 0;
    // Relaxed: with the mark that was there comes the flag of the thread that made it, and this bit
    // with both. The look at the flag is for those who were stopped between the two, as in a fork's
    // child.
    if (marked && pending_.load(kRelaxed) != 0) return;
    pending_.exchange(1, Sync::order(kReturnedSignal));
  }

  // Any thread may call it. Relaxed: it is a guess.
  bool any() const { return pending_.load(kRelaxed) != 0; }

  // --- The holder of the lock ---

  // Is there anything to take?
  bool begin() { return pending_.exchange(0, Sync::order(kReturnedBegin)) != 0; }

  static uint64_t take_marks(Word& marks) { return take_all(marks, kReturnedTakeMarks); }
  static uint64_t take(Word& word) { return take_all(word, kReturnedTake); }

  // These marks of those taken, and those not taken yet, are left for another begin(). Relaxed: as
  // in put_off().
  void put_back(Word& marks, uint64_t groups) {
    if (groups != 0) marks.fetch_or(groups, kRelaxed);
    put_off();
  }

  // Marks are left for another begin(). Relaxed: what the caller has seen the next holder sees by
  // the lock.
  void put_off() { pending_.exchange(1, kRelaxed); }

 private:
  static MMT_ALWAYS_INLINE uint64_t take_all(Word& word, const OrderSite& site) {
    // Relaxed: begin() and take_marks() have seen to it that this finds what was left before. Most
    // words are empty, and their lines stay as they are.
    return word.load(kRelaxed) == 0 ? 0 : word.exchange(0, Sync::order(site));
  }

  typename Sync::template Atomic<uint32_t> pending_{};
};

}  // namespace mmt::sync
