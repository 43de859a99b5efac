// Folders of one user among those of others.
#include "tracing/private_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace mmt::tracing {
namespace {

namespace fs = std::filesystem;

class Folders : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/mmt-folders-XXXXXX";
    parent_ = ::mkdtemp(name);
  }
  void TearDown() override { fs::remove_all(parent_); }
  std::string inside(const std::string& name) const { return parent_ + "/" + name; }
  void remove() const { remove_abandoned_folders(parent_, "p-"); }
  void make_old(const std::string& name) const {
    const timespec times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    ::utimensat(AT_FDCWD, inside(name).c_str(), times, AT_SYMLINK_NOFOLLOW);
  }

  std::string parent_;
};

TEST_F(Folders, AreTheirUsersAlone) {
  const mode_t before = ::umask(0);
  const auto made = make_private_folder(parent_, "p-");
  ::umask(before);
  ASSERT_TRUE(made);
  struct stat status {};
  ASSERT_EQ(::stat(made->path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
  std::ofstream(made->path + "/file") << "x";
  remove();
  EXPECT_TRUE(fs::exists(made->path + "/file"));  // it is in use
  remove_private_folder(*made);
  EXPECT_FALSE(fs::exists(made->path));
}

TEST_F(Folders, AreNotMadeWhereOthersCouldReplaceThem) {
  ::chmod(parent_.c_str(), 0777);
  EXPECT_FALSE(make_private_folder(parent_, "p-"));
  ::chmod(parent_.c_str(), 01777);
  const auto made = make_private_folder(parent_, "p-");
  ASSERT_TRUE(made);
  remove_private_folder(*made);
}

TEST_F(Folders, GoOnceTheirOwnerHasEnded) {
  fs::create_directory(inside("p-abcdef"));
  std::ofstream(inside("p-abcdef/socket")) << "x";
  fs::create_directory(inside("p-new-abcdef"));
  fs::create_directory(inside("other"));
  std::ofstream(inside("p-file")) << "x";
  remove();
  EXPECT_FALSE(fs::exists(inside("p-abcdef")));
  EXPECT_TRUE(fs::exists(inside("p-new-abcdef")));  // it may be about to be locked
  EXPECT_TRUE(fs::exists(inside("p-file")));
  make_old("p-new-abcdef");
  make_old("p-file");
  remove();
  EXPECT_FALSE(fs::exists(inside("p-new-abcdef")));
  EXPECT_FALSE(fs::exists(inside("p-file")));
  EXPECT_TRUE(fs::exists(inside("other")));
}

TEST_F(Folders, LinksAndWhatIsBehindThemStay) {
  fs::create_directory(inside("behind"));
  std::ofstream(inside("behind/file")) << "x";
  fs::create_directory_symlink(inside("behind"), inside("p-link"));
  fs::create_directory(inside("p-folder"));
  fs::create_symlink(inside("behind/file"), inside("p-folder/link"));
  ASSERT_EQ(::mkfifo(inside("p-pipe").c_str(), 0600), 0);
  for (const char* const one : {"p-link", "p-pipe"}) make_old(one);
  remove();
  EXPECT_TRUE(fs::exists(inside("behind/file")));
  EXPECT_TRUE(fs::is_symlink(inside("p-link")));
  EXPECT_TRUE(fs::exists(inside("p-pipe")));
  EXPECT_FALSE(fs::exists(inside("p-folder")));
}

TEST_F(Folders, OfOthersStay) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root makes others' files";
  for (const char* const name : {"p-folder", "p-new-folder"}) {
    fs::create_directory(inside(name));
    ASSERT_EQ(::chown(inside(name).c_str(), 65534, 65534), 0);
    make_old(name);
  }
  std::ofstream(inside("p-file")) << "x";
  ASSERT_EQ(::chown(inside("p-file").c_str(), 65534, 65534), 0);
  make_old("p-file");
  remove();
  for (const char* const name : {"p-folder", "p-new-folder", "p-file"}) {
    EXPECT_TRUE(fs::exists(inside(name))) << name;
  }
}

}  // namespace
}  // namespace mmt::tracing
