// What a reader makes of chunks: records in order, places that interrupted calls left empty, chunks
// that were never used.
#include "tracing/thread_records.h"

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "trace/new_pool.h"
#include "tracing/pool_file.h"

namespace mmt::tracing {
namespace {

using trace::ChunkHead;
using trace::Record;
using trace::RecordKind;
using trace::Seen;

class Reading : public testing::Test {
 protected:
  const std::unique_ptr<PoolFile> adopted_ =
      PoolFile::adopt(static_cast<int>(trace::make_pool_file(trace::kMostChunks)));
  PoolFile& pool_ = *adopted_;
  ThreadRecords records_{pool_, 1, 1};
  std::uint64_t sequence_ = 0;

  std::size_t take(std::size_t record_bytes = sizeof(Record)) {
    const std::size_t chunk = trace::take_chunk(pool_.pool(), trace::kMostChunks);
    ChunkHead& head = *trace::head_of(pool_.base(), chunk);
    head.process = head.thread = 1;
    head.record_bytes = static_cast<std::uint32_t>(record_bytes);
    head.sequence.store(++sequence_);
    for (const TakenChunk& one : pool_.taken()) {
      EXPECT_EQ(one.chunk, chunk);
      records_.add_chunk(one.sequence, one.chunk, one.record_bytes);
    }
    return chunk;
  }

  void leave(std::size_t chunk, std::size_t place, std::uint64_t address,
             RecordKind kind = RecordKind::kFree) {
    const std::size_t bytes = trace::head_of(pool_.base(), chunk)->record_bytes;
    auto* const record = reinterpret_cast<Record*>(pool_.base() + chunk * trace::kChunkBytes +
                                                   sizeof(ChunkHead) + place * bytes);
    record->what.store(static_cast<std::uint64_t>(kind) << trace::kKindShift | address);
  }

  // "1 2 3": the addresses of all records that are there.
  std::string read() {
    std::string found;
    for (const Seen& late : records_.filled_late()) {
      found += "late " + std::to_string(late.address()) + " ";
    }
    Seen record;
    while (records_.front(record)) {
      found += std::to_string(record.address()) + " ";
      records_.pop();
    }
    return found;
  }

  bool is_free(std::size_t chunk) {
    return (pool_.pool().free[chunk / 64].load() >> (chunk % 64)) % 2 != 0;
  }
};

TEST_F(Reading, GoesOnAsRecordsCome) {
  const std::size_t chunk = take();
  EXPECT_EQ(read(), "");
  leave(chunk, 0, 1);
  leave(chunk, 1, 2);
  EXPECT_EQ(read(), "1 2 ");
  leave(chunk, 2, 3);
  EXPECT_EQ(read(), "3 ");
  EXPECT_EQ(read(), "");
}

TEST_F(Reading, GivesFullChunksBack) {
  for (const std::size_t bytes : {sizeof(Record), trace::kShortRecord}) {
    const std::size_t chunk = take(bytes);
    const std::size_t count = (trace::kChunkBytes - sizeof(ChunkHead)) / bytes;
    std::string wanted;
    for (std::size_t i = 0; i < count; ++i) {
      leave(chunk, i, i + 1);
      wanted += std::to_string(i + 1) + " ";
    }
    EXPECT_FALSE(is_free(chunk));
    EXPECT_EQ(read(), wanted);
    EXPECT_TRUE(is_free(chunk));
    EXPECT_EQ(trace::head_of(pool_.base(), chunk)->sequence.load(), 0u);
  }
}

// A handler interrupted a call between the place it claimed and its record.
TEST_F(Reading, PassesOverAGapAndComesBack) {
  const std::size_t chunk = take();
  leave(chunk, 0, 1);
  leave(chunk, 2, 3);
  EXPECT_EQ(read(), "1 3 ");
  EXPECT_TRUE(records_.has_gaps());
  leave(chunk, 1, 2);
  leave(chunk, 3, 4);
  EXPECT_EQ(read(), "late 2 4 ");
  EXPECT_FALSE(records_.has_gaps());
}

TEST_F(Reading, KeepsAChunkWithAGapUntilItIsForgotten) {
  const std::size_t chunk = take(trace::kShortRecord);
  leave(chunk, 1, 2);
  leave(chunk, 2, 0, RecordKind::kEnd);
  const std::size_t next = take();
  leave(next, 0, 5);
  EXPECT_EQ(read(), "2 5 ");
  EXPECT_FALSE(is_free(chunk));
  leave(chunk, 0, 1);
  EXPECT_EQ(read(), "late 1 ");
  records_.forget_gaps();
  EXPECT_TRUE(is_free(chunk));
}

TEST_F(Reading, SkipsAChunkThatAHandlerReplaced) {
  const std::size_t unused = take();
  const std::size_t used = take();
  leave(used, 0, 1);
  EXPECT_EQ(read(), "1 ");
  EXPECT_TRUE(is_free(unused));
}

TEST_F(Reading, WaitsForAMissingChunkUntilToldNotTo) {
  ++sequence_;
  const std::size_t chunk = take();
  leave(chunk, 0, 1);
  EXPECT_EQ(read(), "");
  EXPECT_TRUE(records_.is_missing_chunk());
  records_.skip_missing_chunk();
  EXPECT_EQ(read(), "1 ");
}

// The program may write what it likes meanwhile: what the head said first goes.
TEST_F(Reading, HasALengthOfRecordsFromTheFirstLook) {
  const std::size_t chunk = take();
  for (const std::uint32_t bytes : {0U, 1U, 0xFFFFFFFFU}) {
    trace::head_of(pool_.base(), chunk)->record_bytes = bytes;
    EXPECT_EQ(read(), "");
  }
  trace::head_of(pool_.base(), chunk)->record_bytes = sizeof(Record);
  leave(chunk, 0, 1);
  trace::head_of(pool_.base(), chunk)->record_bytes = 0;
  EXPECT_EQ(read(), "1 ");
}

TEST_F(Reading, TwoChunksInOnePlaceAreAFault) {
  take();
  --sequence_;
  EXPECT_THROW(take(), PoolFault);
}

TEST_F(Reading, AnyHeadButOneOfRecordsIsAFault) {
  for (const std::uint32_t bytes : {0U, 8U, 17U, 16384U, 0xFFFFFFFFU}) {
    const std::size_t chunk = trace::take_chunk(pool_.pool(), trace::kMostChunks);
    ChunkHead& head = *trace::head_of(pool_.base(), chunk);
    head.process = head.thread = 1;
    head.record_bytes = bytes;
    head.sequence.store(1);
    EXPECT_THROW(pool_.taken(), PoolFault) << bytes;
    pool_.give(chunk);
  }
}

TEST_F(Reading, GivesAllBackWhenTheThreadIsGone) {
  const std::size_t one = take();
  const std::size_t other = take();
  records_.give_all();
  EXPECT_TRUE(is_free(one) && is_free(other));
  EXPECT_TRUE(records_.is_empty());
}

}  // namespace
}  // namespace mmt::tracing
