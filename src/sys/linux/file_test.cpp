// Reading small files of /proc without allocating.
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <mmt/sys/file.h>

namespace mmt::sys {
namespace {

TEST(File, ReplacesContents) {
  const std::string path = testing::TempDir() + "mmt_file_test." + std::to_string(getpid());
  EXPECT_EQ(write_file(path.c_str(), "something long", 14), 0);
  EXPECT_EQ(write_file(path.c_str(), "short", 5), 0);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, "short");
  unlink(path.c_str());
}

TEST(File, ReportsWhatFailed) {
  EXPECT_EQ(write_file("/nonexistent/file", "x", 1), -ENOENT);
  EXPECT_EQ(write_file("/", "x", 1), -EISDIR);
  EXPECT_EQ(write_file("/dev/full", "x", 1), -ENOSPC);
  EXPECT_EQ(write_all(-1, "x", 1), -EBADF);
  EXPECT_EQ(write_all(-1, "", 0), 0);
}

}  // namespace
}  // namespace mmt::sys
