// Pages that cannot be, and those that can.
#include "cli/stats/claims.h"

#include <cstring>
#include <functional>
#include <string>

#include <gtest/gtest.h>

namespace mmt::cli {
namespace {

using observe::PageFile;
using observe::Stat;

PageFile good() {
  PageFile file{};
  std::memcpy(file.page.magic, observe::kStatsMagic, sizeof file.page.magic);
  file.page.version = observe::kStatsVersion;
  file.page.count = static_cast<std::uint32_t>(Stat::kCount);
  file.process = 12;
  file.opened_ns = 34;
  std::memcpy(file.program, "sixteen letters!", sizeof file.program);
  std::memcpy(file.told, "0123456789abcdef", sizeof file.told);
  return file;
}

PageClaim claim(const PageFile& file, const char* name = "12.34") {
  return claim_of({reinterpret_cast<const char*>(&file), sizeof file}, name);
}

TEST(Claims, TakeWhatALibraryWrites) {
  PageFile file = good();
  file.page.values[0] = 4096;
  file.peaks.used = 8192;
  const PageClaim found = claim(file);
  EXPECT_TRUE(found.is_page) << found.doubt;
  EXPECT_EQ(found.page.program, "sixteen letters!") << "no zero ends it";
  EXPECT_EQ(found.page.told, "0123456789abcdef");
  EXPECT_EQ(found.page.values[0], 4096U);
  EXPECT_EQ(found.page.values[static_cast<std::size_t>(Stat::kMostInUseBytes)], 8192U);
  EXPECT_TRUE(claim(file, "mmt-stats-abcdef.12.34").is_page);
}

TEST(Claims, TakeNoFigureThatTheyDoNotKnow) {
  PageFile file = good();
  file.page.count = UINT32_MAX;
  file.page.values[observe::kStatsPageValues - 1] = UINT64_MAX;
  const PageClaim found = claim(file);
  EXPECT_TRUE(found.is_page);
  EXPECT_EQ(found.page.values.size(), std::size(observe::kStatFields));
}

TEST(Claims, WaitForWhatIsNotWrittenYet) {
  const PageFile file = good();
  const PageClaim found =
      claim_of({reinterpret_cast<const char*>(&file), sizeof file - 1}, "12.34");
  EXPECT_FALSE(found.is_page);
  EXPECT_EQ(found.doubt, "");
}

TEST(Claims, DoubtWhatCannotBe) {
  const std::function<void(PageFile&)> changes[] = {
      [](PageFile& file) { file.page.magic[0] = 'X'; },
      [](PageFile& file) { file.page.version = 2; },
      [](PageFile& file) { file.page.count = 0; },
      [](PageFile& file) { file.process = 0; },
      [](PageFile& file) { file.process = UINT32_MAX; },
      [](PageFile& file) { file.opened_ns = 35; },
      [](PageFile& file) { file.ended_ns = UINT64_MAX; },
      [](PageFile& file) { file.page.values[0] = UINT64_MAX; },
      [](PageFile& file) { file.inherited[1] = std::uint64_t{1} << 63; },
      [](PageFile& file) { file.peaks.held = UINT64_MAX; },
  };
  for (const auto& change : changes) {
    PageFile file = good();
    change(file);
    const PageClaim found = claim(file);
    EXPECT_FALSE(found.is_page);
    EXPECT_NE(found.doubt, "");
  }
}

TEST(Claims, DoubtEachFigure) {
  std::vector<std::uint64_t> values(static_cast<std::size_t>(Stat::kCount));
  EXPECT_EQ(doubt_of(values), "");
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = UINT64_MAX;
    EXPECT_NE(doubt_of(values).find(observe::kStatFields[i].name), std::string::npos);
    values[i] = 0;
  }
}

}  // namespace
}  // namespace mmt::cli
