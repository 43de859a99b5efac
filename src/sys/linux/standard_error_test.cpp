// Descriptor 2 in other hands.
#include "sys/standard_error.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include <gtest/gtest.h>

#include "sys/message.h"

namespace mmt::sys {
namespace {

// Descriptor 2 is changed and put back.
class StandardError : public testing::Test {
 protected:
  StandardError() : kept_(dup(STDERR_FILENO)) {}
  ~StandardError() override {
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    remember_standard_error();
  }

 private:
  int kept_;
};

void open_as_standard_error(const char* path) {
  close(STDERR_FILENO);
  ASSERT_EQ(open(path, O_RDWR), STDERR_FILENO);
}

TEST_F(StandardError, IsTheFileItWas) {
  open_as_standard_error("/dev/null");
  remember_standard_error();
  EXPECT_TRUE(has_standard_error());
  open_as_standard_error("/dev/zero");
  EXPECT_FALSE(has_standard_error());
  open_as_standard_error("/dev/null");
  EXPECT_TRUE(has_standard_error());
}

TEST_F(StandardError, ClosedLater) {
  remember_standard_error();
  close(STDERR_FILENO);
  EXPECT_FALSE(has_standard_error());
}

TEST_F(StandardError, ClosedFromTheStart) {
  close(STDERR_FILENO);
  remember_standard_error();
  EXPECT_FALSE(has_standard_error());
  open_as_standard_error("/dev/null");
  EXPECT_FALSE(has_standard_error());
}

TEST_F(StandardError, IsKeptForAProgramThatClosesIt) {
  open_as_standard_error("/dev/null");
  remember_standard_error();
  keep_standard_error();
  EXPECT_EQ(standard_error(), STDERR_FILENO);
  close(STDERR_FILENO);
  const int kept = standard_error();
  EXPECT_GT(kept, STDERR_FILENO);
  close(kept);
  EXPECT_EQ(standard_error(), -1);
  EXPECT_EQ(open("/dev/zero", O_RDWR), STDERR_FILENO);
  EXPECT_EQ(standard_error(), -1);
}

TEST_F(StandardError, MessagesStayOutOfOtherFiles) {
  remember_standard_error();
  char path[] = "/tmp/mmt-stderr-XXXXXX";
  const int file = mkstemp(path);
  ASSERT_EQ(dup2(file, STDERR_FILENO), STDERR_FILENO);
  Message().text("not for you").print();
  EXPECT_EQ(lseek(file, 0, SEEK_END), 0);
  remember_standard_error();
  Message().text("for you").print();
  EXPECT_EQ(lseek(file, 0, SEEK_END), 8);
  close(file);
  unlink(path);
}

}  // namespace
}  // namespace mmt::sys
