// What is asked for beyond the bound is refused, whoever asks; and what is told of it.
#include "tracefile/memory_bound.h"

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/path_for_test.h"
#include "tracefile/events_for_tests.h"
#include "tracefile/import/import.h"
#include "tracefile/reader.h"

namespace mmt::tracefile {
namespace {

constexpr uint64_t kBound = uint64_t{32} << 20;

class Bound : public testing::Test {
 protected:
  void SetUp() override { MemoryBound::set(kBound); }
  void TearDown() override { MemoryBound::set(0); }
};

TEST_F(Bound, OfOneRequest) {
  EXPECT_THROW(std::vector<char>(kBound + 1), TooMuchMemory);
  EXPECT_THROW(std::vector<char>(size_t{1} << 46), TooMuchMemory);
  EXPECT_EQ(new (std::nothrow) char[kBound + 1], nullptr);
  EXPECT_EQ(std::vector<char>(kBound / 4, 'x').back(), 'x');
}

TEST_F(Bound, OfManySmallOnes) {
  std::vector<std::unique_ptr<std::string>> kept;
  const auto fill = [&] {
    while (kept.size() < 10'000'000) kept.push_back(std::make_unique<std::string>(100, 'x'));
  };
  EXPECT_THROW(fill(), TooMuchMemory);
  EXPECT_LT(kept.size() * 100, 2 * kBound);
}

TEST_F(Bound, IsLiftedForWhatIsTold) {
  std::vector<char> kept;
  {
    const MemoryBound::Lifted lifted;
    kept.resize(2 * kBound, 'x');
  }
  EXPECT_THROW(MemoryBound::look(), TooMuchMemory);
  MemoryBound::set(0);
  MemoryBound::look();
}

TEST(MemoryBound, IsToldWithThePlace) {
  NowReading::at("x.mtr", "byte", 17);
  EXPECT_EQ(told_of(TooMuchMemory(uint64_t{64} << 20)),
            "'x.mtr', byte 17: it takes more than the 64 MiB of memory that --memory gives");
  NowReading::at("y.json");
  EXPECT_EQ(told_of(std::bad_alloc()), "'y.json': no memory is left");
}

// An import that has failed so leaves what stands before in the trace.
TEST(MemoryBound, OfAnImport) {
  std::string lines;
  for (int at = 0; at < 1'500'000; ++at) lines += "a " + std::to_string(at) + " 8\n";
  put_bytes(path_for_test("rep"), lines);
  lines = std::string();
  MemoryBound::set(kBound);
  try {
    import_trace("rep", path_for_test("rep"), path_for_test("mtr"));
    FAIL();
  } catch (const std::runtime_error& error) {
    const std::string told = error.what();
    EXPECT_TRUE(told.starts_with("'" + path_for_test("rep") + "', line ")) << told;
    EXPECT_TRUE(told.ends_with("it takes more than the 32 MiB of memory that --memory gives"));
  }
  MemoryBound::set(0);
  Reader reader(path_for_test("mtr"));
  uint64_t events = 0;
  for (auto frame = reader.next(); !frame.empty(); frame = reader.next()) events += frame.size();
  EXPECT_GT(events, 100'000u);
}

}  // namespace
}  // namespace mmt::tracefile
