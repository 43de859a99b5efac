// Reading and writing by raw calls.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

TEST(File, ReadsWhatThereIs) {
  const std::string path = testing::TempDir() + "mmt_file_test." + std::to_string(getpid());
  char text[8] = {};
  EXPECT_EQ(read_file(path.c_str(), text, sizeof text), -ENOENT);
  ASSERT_EQ(write_file(path.c_str(), "short", 5), 0);
  EXPECT_EQ(read_file(path.c_str(), text, 3), 3);
  EXPECT_STREQ(text, "sho");
  EXPECT_EQ(read_file(path.c_str(), text, sizeof text), 5);
  EXPECT_STREQ(text, "short");
  unlink(path.c_str());
}

TEST(File, IsMemoryThatOutlivesItsMapping) {
  const std::string path = testing::TempDir() + "mmt_file_test." + std::to_string(getpid());
  long error = 0;
  auto* data = static_cast<char*>(map_new_file(path.c_str(), "before", 6, &error));
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data[0], 'b');
  EXPECT_EQ(map_new_file(path.c_str(), "again", 5, &error), nullptr);
  EXPECT_EQ(error, -EEXIST);
  data[0] = 'B';
  unmap_file(data, 6);
  char text[8] = {};
  EXPECT_EQ(read_file(path.c_str(), text, sizeof text), 6);
  EXPECT_STREQ(text, "Before");
  unlink(path.c_str());
  EXPECT_EQ(map_new_file("/nonexistent/file", "x", 1, &error), nullptr);
  EXPECT_EQ(error, -ENOENT);
}

// No address space is left for the mapping.
TEST(File, IsNotThereWhenItCannotBeMapped) {
  const std::string path = testing::TempDir() + "mmt_file_test." + std::to_string(getpid());
  const pid_t child = fork();
  if (child == 0) {
    const rlimit none{1, 1};
    if (setrlimit(RLIMIT_AS, &none) != 0) _exit(1);
    long error = 0;
    _exit(map_new_file(path.c_str(), "x", 1, &error) == nullptr && error == -ENOMEM ? 0 : 2);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(File, ReportsWhatFailed) {
  EXPECT_EQ(write_file("/nonexistent/file", "x", 1), -ENOENT);
  EXPECT_EQ(write_file("/", "x", 1), -EISDIR);
  EXPECT_EQ(write_file("/dev/full", "x", 1), -ENOSPC);
  EXPECT_EQ(write_all(-1, "x", 1), -EBADF);
  EXPECT_EQ(write_all(-1, "", 0), 0);
}

TEST(File, KnowsWhereAWriteWouldWait) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_NONBLOCK), 0);
  EXPECT_TRUE(can_write(ends[1]));
  const std::string much(4096, 'x');
  while (write(ends[1], much.data(), much.size()) > 0) {
  }
  EXPECT_FALSE(can_write(ends[1]));
  EXPECT_FALSE(can_write(ends[0]));
  close(ends[0]);
  close(ends[1]);
  EXPECT_FALSE(can_write(-1));
}

}  // namespace
}  // namespace mmt::sys
