// Where the report at exit goes, and what is said when it cannot be written.
#include "observe/exit_report.h"

#include <cerrno>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "interprocess/stats_page.h"

namespace mmt::observe {
namespace {

constexpr Process kProcess{4711, "my/\"prog\"", "/lib/libmmt.so"};

std::string path_of(const char* pattern) {
  PathText path;
  expand_path(pattern, kProcess, &path);
  return path.c_str();
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(ExitReport, ExpandsTemplates) {
  EXPECT_EQ(path_of("/tmp/stats"), "/tmp/stats");
  EXPECT_EQ(path_of("/tmp/%p.json"), "/tmp/4711.json");
  EXPECT_EQ(path_of("%e-%p-%p"), "my_\"prog\"-4711-4711");
  EXPECT_EQ(path_of("100%%"), "100%");
  EXPECT_EQ(path_of("%x%"), "%x%");
}

TEST(ExitReport, TooLongPathIsNoticed) {
  PathText path;
  expand_path(std::string(5000, 'x').c_str(), kProcess, &path);
  EXPECT_TRUE(path.cut_off());
}

TEST(ExitReport, FormatFollowsTheName) {
  EXPECT_TRUE(is_json_path("a.json"));
  EXPECT_TRUE(is_json_path(".json"));
  EXPECT_FALSE(is_json_path("json"));
  EXPECT_FALSE(is_json_path("a.json.txt"));
}

TEST(ExitReport, TextHasALineForEveryFigure) {
  uint64_t values[kStatsPageValues];
  for (uint64_t& value : values) value = ~uint64_t{0};
  const auto text = std::make_unique<ReportText>();
  write_text(values, kProcess, text.get());
  EXPECT_FALSE(text->cut_off());
  for (const StatField& field : kStatFields)
    EXPECT_NE(std::string(text->c_str()).find(std::string("\n  ") + field.name + " "),
              std::string::npos);
}

TEST(ExitReport, JsonIsEscapedAndFits) {
  uint64_t values[kStatsPageValues];
  for (uint64_t& value : values) value = ~uint64_t{0};
  const auto text = std::make_unique<ReportText>();
  write_json(values, kProcess, text.get());
  EXPECT_FALSE(text->cut_off());
  const std::string json = text->c_str();
  EXPECT_NE(json.find(R"("program": "my/\"prog\"")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("pid": 4711)"), std::string::npos);
  EXPECT_EQ(count(json, "18446744073709551615"), std::size(kStatFields));
}

TEST(ExitReport, ErrorsAreNamed) {
  EXPECT_STREQ(describe_error(ENOSPC), "no space left on device");
  EXPECT_STREQ(describe_error(4095), "error");
}

TEST(ExitReport, StaysWholeWhateverTheProgramIsCalled) {
  uint64_t values[kStatsPageValues] = {};
  const std::string name(100'000, '\x1b');
  const auto json = std::make_unique<ReportText>();
  write_json(values, {1, name.c_str(), name.c_str()}, json.get());
  EXPECT_FALSE(json->cut_off());
  const auto text = std::make_unique<ReportText>();
  write_text(values, {1, name.c_str(), ""}, text.get());
  EXPECT_FALSE(text->cut_off());
  EXPECT_EQ(std::string(text->c_str()).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace mmt::observe
