// Programs beside one another: what is wrong with one costs no other its trace.
#include "tracing/recording.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tracing/program_for_tests.h"

namespace mmt::tracing {
namespace {

// Processes that live as long as this one.
constexpr pid_t kGood = 1;
const pid_t kOther = ::getpid();
constexpr std::size_t kMappedChunks = 256;

class Beside : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/mmt-recording-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  void TearDown() override {
    recording_ = nullptr;
    std::filesystem::remove_all(folder_);
  }
  void begin(const RecordingLimits& limits = {}) {
    recording_ = std::make_unique<Recording>(folder_ + "/t.mtr", limits, false, false);
    recording_->take_pool(good_.announced(kGood));
    recording_->take_pool(other_.announced(kOther));
    EXPECT_TRUE(good_.allocate(10));
    EXPECT_TRUE(other_.allocate(10));
    recording_->look();
  }
  // The other's failure alone, which names it.
  void expect_one_failure(const std::string& what) {
    EXPECT_TRUE(good_.allocate(10));
    recording_->finish();
    const std::string name = "process " + std::to_string(kOther) + " (";
    EXPECT_NE(recording_->error().find(name), std::string::npos) << recording_->error();
    EXPECT_NE(recording_->error().find(what), std::string::npos) << recording_->error();
    EXPECT_EQ(recording_->faults().size(), 1U);
    ASSERT_EQ(recording_->processes().size(), 1U);
    EXPECT_EQ(recording_->processes()[0].process, kGood);
    EXPECT_EQ(recording_->processes()[0].objects, good_.allocated());
    ASSERT_EQ(recording_->failed().size(), 1U);
    EXPECT_EQ(recording_->failed()[0].process, kOther);
  }

  std::string folder_;
  FakeProgram good_{kMappedChunks};
  FakeProgram other_{kMappedChunks};
  std::unique_ptr<Recording> recording_;
};

struct Garble {
  const char* what;
  std::function<void(trace::Pool&)> change;
};

class GarbledHeader : public Beside, public testing::WithParamInterface<Garble> {};

TEST_P(GarbledHeader, IsToldOf) {
  begin();
  other_.pool().threads.store(5);
  other_.pool().waits.store(5);
  recording_->look();
  EXPECT_TRUE(recording_->error().empty()) << recording_->error();
  GetParam().change(other_.pool());
  recording_->look();
  EXPECT_EQ(other_.pool().is_over.load(), 1U);
  // However often it is written over.
  for (int i = 0; i < 3; ++i) {
    std::memset(static_cast<void*>(&other_.pool()), 0, sizeof(trace::Pool));
    recording_->look();
    EXPECT_EQ(other_.pool().is_over.load(), 1U);
  }
  expect_one_failure(GetParam().what);
}

// Even where nothing is read between that and the end.
TEST_P(GarbledHeader, IsToldOfAtTheEnd) {
  begin();
  other_.pool().threads.store(5);
  other_.pool().waits.store(5);
  recording_->look();
  GetParam().change(other_.pool());
  expect_one_failure(GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Words, GarbledHeader,
    testing::Values(Garble{"another reader", [](trace::Pool& pool) { pool.reader.store(1); }},
                    Garble{"another reader", [](trace::Pool& pool) { pool.reader_space.store(7); }},
                    Garble{"another reader", [](trace::Pool& pool) { pool.beats.store(~0U); }},
                    Garble{"an end", [](trace::Pool& pool) { pool.is_over.store(1); }},
                    Garble{"an end", [](trace::Pool& pool) { pool.is_over.store(~0U); }},
                    Garble{"a count", [](trace::Pool& pool) { pool.threads.store(4); }},
                    Garble{"a count", [](trace::Pool& pool) { pool.waits.store(4); }},
                    Garble{"a count", [](trace::Pool& pool) { pool.waits.store(~0ULL); }},
                    Garble{"free and in use", [](trace::Pool& pool) { pool.free[0].store(~0ULL); }},
                    Garble{"free and in use", [](trace::Pool& pool) { pool.free[0].fetch_or(2); }},
                    Garble{"another reader",
                           [](trace::Pool& pool) {
                             std::memset(static_cast<void*>(&pool), 0, sizeof pool);
                           }},
                    Garble{"another reader", [](trace::Pool& pool) {
                             std::memset(static_cast<void*>(&pool), 255, sizeof pool);
                           }}));

// What is no chunk of it yet, which the reader would not look at.
TEST_F(Beside, ChunksThatWereNotGivenOut) {
  FakeProgram large(trace::kMostChunks);
  begin();
  recording_->take_pool(large.announced(::getppid()));
  recording_->look();
  EXPECT_TRUE(recording_->error().empty()) << recording_->error();
  large.pool().free[trace::kPendingChunks / 64].store(1);
  recording_->look();
  EXPECT_NE(recording_->error().find("free and in use"), std::string::npos);
}

TEST_F(Beside, MemoryOfAllIsBounded) {
  begin({.held_bytes = 4 << 20});
  while (recording_->error().empty()) {
    ASSERT_LT(other_.allocated(), 200'000U);
    EXPECT_TRUE(other_.allocate(10'000));
    EXPECT_TRUE(good_.allocate(10));
    recording_->look();
  }
  EXPECT_GT(other_.allocated(), 20'000U);
  expect_one_failure("of 4 MiB for all programs together");
}

// Each of them is well below the bound.
TEST_F(Beside, MemoryOfManyIsBounded) {
  begin({.held_bytes = 4 << 20});
  EXPECT_TRUE(other_.allocate(40'000));
  recording_->look();
  EXPECT_TRUE(recording_->error().empty()) << recording_->error();
  EXPECT_TRUE(good_.allocate(40'000));
  recording_->look();
  EXPECT_FALSE(recording_->error().empty());
  EXPECT_EQ(recording_->faults().size(), 1U);
}

// What forks leave to children, none of which ever comes.
TEST_F(Beside, MemoryOfForksIsBounded) {
  begin({.held_bytes = 4 << 20});
  EXPECT_TRUE(other_.allocate(10'000));
  recording_->look();
  std::uint64_t token = 1;
  while (recording_->error().empty()) {
    ASSERT_LT(++token, 50U);
    const std::size_t chunk = other_.take_chunk(2);
    ASSERT_NE(chunk, 0U);
    trace::Record& fork = other_.record(chunk, 0);
    fork.bytes = token;
    fork.what.store(static_cast<std::uint64_t>(trace::RecordKind::kFork) << trace::kKindShift);
    other_.record(chunk, 1).what.store(
        static_cast<std::uint64_t>(trace::RecordKind::kFree) << trace::kKindShift | 16 * token);
    other_.record(chunk, 2).what.store(static_cast<std::uint64_t>(trace::RecordKind::kEnd)
                                       << trace::kKindShift);
    other_.head(chunk).sequence.store(token - 1);
    recording_->look();
  }
  EXPECT_NE(recording_->error().find("process " + std::to_string(kOther)), std::string::npos)
      << recording_->error();
  EXPECT_GT(token, 8U);
}

// Programs wait while others' records are not read; nothing is lost.
TEST_F(Beside, PendingRecordsOfAllAreBounded) {
  begin({.pending_chunks = 100});
  constexpr std::uint64_t kMany = 90 * FakeProgram::kRecords;
  EXPECT_TRUE(good_.allocate(kMany));
  EXPECT_TRUE(other_.allocate(kMany));
  recording_->look();  // sees them, and reads
  // All that is free now is what was read.
  std::vector<std::size_t> taken;
  while (const std::size_t chunk = other_.take_chunk(2)) taken.push_back(chunk);
  EXPECT_LT(taken.size(), 100U);
  for (const std::size_t chunk : taken) trace::give_chunk(other_.pool(), chunk);
  recording_->look();
  EXPECT_TRUE(recording_->error().empty()) << recording_->error();
  EXPECT_TRUE(other_.allocate(kMany));
  EXPECT_TRUE(good_.allocate(10));
  recording_->finish();
  EXPECT_TRUE(recording_->error().empty()) << recording_->error();
  ASSERT_EQ(recording_->processes().size(), 2U);
  for (const RecordedProcess& one : recording_->processes()) {
    EXPECT_EQ(one.objects, one.process == kGood ? good_.allocated() : other_.allocated());
  }
}

// One that comes meanwhile waits, too.
TEST_F(Beside, PendingRecordsBoundWhoComesLater) {
  begin({.pending_chunks = 10});
  EXPECT_TRUE(other_.allocate(200 * FakeProgram::kRecords));
  EXPECT_TRUE(good_.allocate(40 * FakeProgram::kRecords));
  recording_->look();
  FakeProgram late(kMappedChunks);
  recording_->take_pool(late.announced(::getppid()));
  EXPECT_EQ(late.take_chunk(), 0U);
  recording_->look();
  EXPECT_NE(late.take_chunk(), 0U);
}

}  // namespace
}  // namespace mmt::tracing
