// The tests tell which addresses share an orec, and what an abort there is put down to. They take
// the examples of the allocator study (Figure 5, and arenas of 64 MiB), exactly. One thread steps
// the attempts.
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include <mmt/stm/atomically.h>
#include <mmt/stm/orecs.h>

#include "unit/stm/designs.h"

namespace mmt::stm {
namespace {

constexpr uintptr_t kMiB = 1 << 20;

bool share_orec(uintptr_t one, uintptr_t other, Options options = {}) {
  const Orecs<RealWorld> orecs(options);
  return orecs.index_of(one) == orecs.index_of(other);
}

TEST(Mapping, NodesOf32BytesHaveOrecsOfTheirOwn) {
  EXPECT_FALSE(share_orec(0x18000020, 0x18000040));
}

TEST(Mapping, NodesOf16BytesShareOne) { EXPECT_TRUE(share_orec(0x18000020, 0x18000030)); }

TEST(Mapping, WithAShiftOfFourTheyDoNot) {
  Options options;
  options.shift = 4;
  EXPECT_FALSE(share_orec(0x18000020, 0x18000030, options));
}

TEST(Mapping, BlocksOf48BytesShareTheirEndWithTheNextOne) {
  EXPECT_TRUE(share_orec(0x18000000 + 32, 0x18000000 + 48));
  EXPECT_FALSE(share_orec(0x18000000 + 32, 0x18000000 + 64));
}

TEST(Mapping, ArenasOf64MiBAreOneToTheTable) {
  EXPECT_TRUE(share_orec(0x18000000, 0x1c000000));
  const Orecs<RealWorld> orecs{Options{}};
  EXPECT_EQ(orecs.index_of(0x18000000), 0U);
  EXPECT_EQ(orecs.index_of(0x1c000000), 0U);
}

TEST(Mapping, SuperblocksOf64And16KiBAreNot) {
  for (const uintptr_t bytes : {uintptr_t{64} << 10, uintptr_t{16} << 10}) {
    for (uintptr_t number = 1; number * bytes < 32 * kMiB; ++number) {
      ASSERT_FALSE(share_orec(0x18000000, 0x18000000 + number * bytes)) << number * bytes;
    }
  }
}

TEST(Mapping, AnotherHashOrTableTellsArenasApart) {
  Options options;
  options.hash = Hash::kMultiply;
  EXPECT_FALSE(share_orec(0x18000000, 0x1c000000, options));
  options.hash = Hash::kXorFold;
  EXPECT_FALSE(share_orec(0x18000000, 0x1c000000, options));
  options.hash = Hash::kMask;
  options.log2_orecs = 22;  // 128 MiB of stripes
  EXPECT_FALSE(share_orec(0x18000000, 0x1c000000, options));
}

// Two arenas, at addresses that are multiples of 64 MiB.
class Conflicts : public testing::Test {
 protected:
  Conflicts() {
    memory_ = static_cast<char*>(mmap(nullptr, 192 * kMiB, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory_ == MAP_FAILED) std::abort();
    const auto begin = reinterpret_cast<uintptr_t>(memory_);
    arena_ = memory_ + (64 * kMiB - begin % (64 * kMiB)) % (64 * kMiB);
  }
  ~Conflicts() override { munmap(memory_, 192 * kMiB); }

  uint64_t& word(uintptr_t offset) { return *reinterpret_cast<uint64_t*>(arena_ + offset); }

  // What aborts a transaction that reads one word while another has written the other.
  Statistics met(uintptr_t written, uintptr_t read, Options options = {}) {
    options.attribute_aborts = true;
    Memory memory(options);
    {
      Thread writer(memory), reader(memory);
      writer.start(false);
      writer.begin();
      Tx(writer).write(word(written), 1);
      reader.start(false);
      reader.begin();
      bool aborted = false;
      try {
        (void)Tx(reader).read(word(read));
      } catch (const Aborted&) {
        aborted = true;
      }
      if (aborted) {
        reader.end_aborted();
      } else {
        EXPECT_TRUE(reader.commit());
      }
      EXPECT_TRUE(writer.commit());
    }
    const Statistics seen = memory.statistics();
    EXPECT_LE(seen.aborted(), 1U);
    return seen;
  }

 private:
  char* memory_;
  char* arena_;
};

TEST_F(Conflicts, TheSameWordIsATrueOne) { EXPECT_EQ(met(0x20, 0x20).of(Cause::kTrue), 1U); }

TEST_F(Conflicts, ANeighbourOf16BytesSharesTheStripe) {
  EXPECT_EQ(met(0x20, 0x30).of(Cause::kStripe), 1U);
}

TEST_F(Conflicts, ANeighbourOf32BytesIsLeftAlone) { EXPECT_EQ(met(0x20, 0x40).aborted(), 0U); }

TEST_F(Conflicts, ShiftFourLeavesThatOf16Alone) {
  Options options = options_for_one_thread();
  options.shift = 4;
  EXPECT_EQ(met(0x20, 0x30, options).aborted(), 0U);
}

TEST_F(Conflicts, AnotherArenaIsAnAlias) {
  EXPECT_EQ(met(0x20, 0x20 + 64 * kMiB).of(Cause::kAlias), 1U);
}

TEST_F(Conflicts, NorecHasNoneOfThese) {
  Options options;
  options.design = Design::kNorec;
  EXPECT_EQ(met(0x20, 0x30, options).aborted(), 0U);
  EXPECT_EQ(met(0x20, 0x20 + 64 * kMiB, options).aborted(), 0U);
}

// What another did between two reads of one attempt, found when that validates.
class Validation : public testing::TestWithParam<Design> {
 protected:
  // The first attempt reads `read`, then `others` run, then it reads and writes what is far away.
  template <class Others>
  Statistics found(unsigned log2_orecs, size_t read, Others&& others) {
    Options options = options_for_one_thread();
    options.design = GetParam();
    options.attribute_aborts = true;
    options.log2_orecs = log2_orecs;
    Memory memory(options);
    {
      Thread thread(memory), other(memory), third(memory);
      bool met = false;
      atomically(thread, [&](Tx& tx) {
        (void)tx.read(words_[read]);
        if (!met) {
          met = true;
          others(other, third);
        }
        tx.write(words_[60], tx.read(words_[56]) + 1);
      });
    }
    const Statistics seen = memory.statistics();
    EXPECT_EQ(seen.aborted() - seen.of(Reason::kException), 1U);
    return seen;
  }
  void write(Thread& thread, std::initializer_list<size_t> words) {
    atomically(thread, [&](Tx& tx) {
      for (const size_t word : words) tx.write(words_[word], 1L);
    });
  }

  alignas(256) long words_[64] = {};
};

TEST_P(Validation, TheWordItselfWhateverElseWasWritten) {
  for (const std::initializer_list<size_t> words :
       {std::initializer_list<size_t>{0, 32}, {32, 0}}) {
    const Statistics seen = found(0, 0, [&](Thread& other, Thread&) { write(other, words); });
    EXPECT_EQ(seen.of(Cause::kTrue), 1U);
  }
  const Statistics seen = found(0, 0, [&](Thread& other, Thread& third) {
    write(other, {0});
    write(third, {32});
  });
  EXPECT_EQ(seen.of(Cause::kTrue), 1U);
}

TEST_P(Validation, AStripeOrAnAlias) {
  const auto writes = [&](size_t word) {
    return [this, word](Thread& other, Thread&) { write(other, {word}); };
  };
  EXPECT_EQ(found(10, 0, writes(1)).of(Cause::kStripe), 1U);
  EXPECT_EQ(found(0, 0, writes(1)).of(Cause::kStripe), 1U);
  EXPECT_EQ(found(0, 0, writes(32)).of(Cause::kAlias), 1U);
}

TEST_P(Validation, WhoWroteNothingIsNoCause) {
  const auto abort_after_writing = [&](Thread& thread, size_t word) {
    EXPECT_THROW(atomically(thread,
                            [&](Tx& tx) {
                              tx.write(words_[word], 1L);
                              throw 1;
                            }),
                 int);
  };
  Statistics seen = found(10, 0, [&](Thread& other, Thread& third) {
    write(other, {0});
    abort_after_writing(third, 1);
  });
  EXPECT_EQ(seen.of(Cause::kTrue), 1U);
  seen = found(10, 0, [&](Thread& other, Thread& third) {
    abort_after_writing(third, 0);
    write(other, {1});
  });
  EXPECT_EQ(seen.of(Cause::kStripe), 1U);
}

TEST_P(Validation, WhatWasWrittenBeforeItWasReadIsNoCause) {
  Options options = options_for_one_thread();
  options.design = GetParam();
  options.attribute_aborts = true;
  Memory memory(options);
  {
    Thread thread(memory), other(memory);
    write(other, {0});
    bool met = false;
    atomically(thread, [&](Tx& tx) {
      (void)tx.read(words_[0]);
      if (!met) {
        met = true;
        write(other, {1});
      }
      tx.write(words_[60], tx.read(words_[56]) + 1);
    });
  }
  EXPECT_EQ(memory.statistics().of(Cause::kStripe), 1U);
}

INSTANTIATE_TEST_SUITE_P(Designs, Validation,
                         testing::Values(Design::kWriteBackEncounter, Design::kWriteBackCommit,
                                         Design::kWriteThrough),
                         [](const auto& info) { return std::string(name_of(info.param)); });

}  // namespace
}  // namespace mmt::stm
