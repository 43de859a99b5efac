// What is written to where others have put something before.
#include "tracefile/output_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace mmt::tracefile {
namespace {

namespace fs = std::filesystem;
constexpr uid_t kOther = 65534;

class Output : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/mmt-output-XXXXXX";
    folder_ = ::mkdtemp(name);
    std::ofstream(inside("precious")) << "precious";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string inside(const std::string& name) const { return folder_ + "/" + name; }
  std::string text_of(const std::string& name) const {
    std::ifstream file(inside(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Whether it could.
  bool write(const std::string& name) const {
    const int file = open_output(inside(name));
    if (file < 0) return false;
    const bool is_whole = ::write(file, "trace", 5) == 5;
    ::close(file);
    return is_whole;
  }

  std::string folder_;
};

TEST_F(Output, IsMadeOrOverwritten) {
  EXPECT_TRUE(write("t"));
  std::ofstream(inside("t")) << "something longer";
  EXPECT_TRUE(write("t"));
  EXPECT_EQ(text_of("t"), "trace");
}

TEST_F(Output, GoesWhereOwnLinksLead) {
  fs::create_symlink("target", inside("link"));
  EXPECT_TRUE(write("link"));
  EXPECT_EQ(text_of("target"), "trace");
  fs::create_symlink("link", inside("further"));
  EXPECT_TRUE(write("further"));
  EXPECT_TRUE(fs::is_symlink(inside("further")));
  fs::create_symlink("self", inside("self"));
  EXPECT_FALSE(write("self"));
  EXPECT_EQ(open_output("/dev/full") < 0, false);
}

TEST_F(Output, FollowsNobodyElsesLink) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes others' links";
  fs::create_symlink("precious", inside("link"));
  ASSERT_EQ(::lchown(inside("link").c_str(), kOther, kOther), 0);
  EXPECT_FALSE(write("link"));
  EXPECT_EQ(errno, ELOOP);
  fs::create_symlink("link", inside("own"));
  EXPECT_FALSE(write("own"));
  EXPECT_EQ(text_of("precious"), "precious");
}

TEST_F(Output, ReplacesSecondNames) {
  fs::create_hard_link(inside("precious"), inside("second"));
  EXPECT_TRUE(write("second"));
  EXPECT_EQ(text_of("precious"), "precious");
  EXPECT_EQ(text_of("second"), "trace");
}

TEST_F(Output, ReplacesOthersFiles) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes others' files";
  std::ofstream(inside("theirs")) << "theirs";
  ASSERT_EQ(::chown(inside("theirs").c_str(), kOther, kOther), 0);
  const int reader = ::open(inside("theirs").c_str(), O_RDONLY);
  EXPECT_TRUE(write("theirs"));
  char text[8] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 6);
  EXPECT_STREQ(text, "theirs");
  ::close(reader);
}

TEST_F(Output, WaitsForNobodyElsesPipe) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes others' pipes";
  ASSERT_EQ(::mkfifo(inside("pipe").c_str(), 0666), 0);
  ASSERT_EQ(::chown(inside("pipe").c_str(), kOther, kOther), 0);
  EXPECT_TRUE(write("pipe"));
  EXPECT_EQ(text_of("pipe"), "trace");
}

TEST_F(Output, KeepsWhatWasThereWhereAsked) {
  const int file = open_output(inside("precious"), Before::kKept);
  ASSERT_GE(file, 0);
  EXPECT_EQ(text_of("precious"), "precious");
  ::close(file);
}

}  // namespace
}  // namespace mmt::tracefile
