// Tests of the reading of /proc/PID/maps.
#include "programs/process_maps.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::programs {
namespace {

bool has_libc(const std::vector<MappedFile>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const MappedFile& f) { return f.name().starts_with("libc.so"); });
}

TEST(ProcessMaps, KeepsTheStartOfEachFile) {
  const auto files = parse_maps(
      "7f0000000000-7f0000001000 r--p 00000000 08:01 123                        /usr/lib/a b.so\n"
      "7f0000001000-7f0000002000 r-xp 00001000 08:01 123                        /usr/lib/a b.so\n"
      "7f0000003000-7f0000004000 rw-p 00000000 00:00 0 \n"
      "7f0000005000-7f0000006000 r--p 00000000 08:01 9        /tmp/libmmt.so (deleted)\n"
      "7ffd00000000-7ffd00001000 rw-p 00000000 00:00 0                          [stack]\n"
      "nonsense\n");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].base, 0x7f0000000000u);
  EXPECT_EQ(files[0].path, "/usr/lib/a b.so");
  EXPECT_EQ(files[0].name(), "a b.so");
  EXPECT_EQ(files[1].name(), "libmmt.so (deleted)");
}

TEST(ProcessMaps, ReadsThisProcess) {
  const auto files = mapped_files(getpid());
  ASSERT_TRUE(files);
  EXPECT_TRUE(has_libc(*files));
}

// Whose maps take several pieces: what lies highest is read last.
TEST(ProcessMaps, ReadsAllOfAProcessThatEndsOrNothing) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kMappings = 400;
  auto* const space = static_cast<char*>(::mmap(
      nullptr, kMappings * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  ASSERT_NE(space, MAP_FAILED);
  for (std::size_t i = 0; i < kMappings; i += 2) ::mprotect(space + i * kPage, kPage, PROT_READ);
  for (int round = 0; round < 50; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(0);
    for (auto files = mapped_files(child); files && !files->empty(); files = mapped_files(child)) {
      EXPECT_TRUE(has_libc(*files)) << files->size() << " files in round " << round;
    }
    ::waitpid(child, nullptr, 0);
  }
  ::munmap(space, kMappings * kPage);
}

TEST(ProcessMaps, SaysWhenThereIsNoSuchProcess) {
  EXPECT_FALSE(mapped_files(0x3fffffff));
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace mmt::programs
