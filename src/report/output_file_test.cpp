// Tests of the checked report files, a full disk among them.
#include "report/output_file.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "support/path_for_test.h"

namespace mmt::report {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(OutputFile, ReplacesWhatWasThereOnlyWhenWriting) {
  const std::string path = path_for_test("report");
  std::ofstream(path) << "a longer text that was there";
  OutputFile file;
  ASSERT_FALSE(file.open(path));
  EXPECT_EQ(content(path), "a longer text that was there");
  ASSERT_FALSE(file.write("short"));
  EXPECT_EQ(content(path), "short");
}

TEST(OutputFile, NamesThePathThatCannotBeOpened) {
  OutputFile file;
  const auto problem = file.open("/no/such/folder/report.json");
  ASSERT_TRUE(problem);
  EXPECT_EQ(*problem, "cannot open '/no/such/folder/report.json': No such file or directory");
}

TEST(OutputFile, SeesAFullDisk) {
  OutputFile file;
  ASSERT_FALSE(file.open("/dev/full"));
  const auto problem = file.write("text");
  ASSERT_TRUE(problem);
  EXPECT_EQ(*problem, "cannot write '/dev/full': No space left on device");
}

}  // namespace
}  // namespace mmt::report
