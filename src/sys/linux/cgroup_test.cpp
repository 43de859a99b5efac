// Whole layouts of hierarchies, laid out as files below a temporary folder.
#include "sys/linux/cgroup.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "sys/linux/cgroup_text.h"

namespace mmt::sys::cgroup {
namespace {

class Cgroup : public testing::Test {
 protected:
  Cgroup() {
    char name[] = "/tmp/mmt-cgroup-XXXXXX";
    root_ = mkdtemp(name);
  }
  ~Cgroup() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void own(const std::string& text) { file("/proc/self/cgroup", text); }
  void mounts(const std::string& text) { file("/proc/self/mountinfo", text); }
  unsigned quota() const { return quota_percent(root_.c_str()); }
  unsigned tasks() const { return tasks_left(root_.c_str()); }
  uint64_t memory() const { return memory_left(root_.c_str()); }

 private:
  std::string root_;
};

constexpr char kUnifiedMount[] = "30 24 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
constexpr char kCpuMount[] = "31 24 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu\n";

TEST_F(Cgroup, NothingToRead) { EXPECT_EQ(quota(), 0u); }

TEST_F(Cgroup, UnifiedSmallestUpTheTree) {
  own("0::/a/b/c\n");
  mounts(kUnifiedMount);
  EXPECT_EQ(quota(), 0u);
  file("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), 0u);
  file("/sys/fs/cgroup/a/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 150u);
  file("/sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 150u);
  file("/sys/fs/cgroup/a/other/cpu.max", "10000 100000\n");
  EXPECT_EQ(quota(), 150u);
}

TEST_F(Cgroup, UnifiedNamespace) {
  own("0::/\n");
  mounts(kUnifiedMount);
  file("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 50u);
}

TEST_F(Cgroup, CpuControllerOfVersion1) {
  own("3:cpuset:/x\n2:cpu,cpuacct:/a\n0::/\n");
  mounts(kCpuMount);
  file("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "120000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 120u);
}

// A container sees its path from the host, and only its own folder.
TEST_F(Cgroup, ContainerOfVersion1) {
  own("1:cpu:/docker/1a2b\n");
  mounts("31 24 0:27 /docker/1a2b /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
  file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "75000\n");
  file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
  EXPECT_EQ(quota(), 150u);
}

TEST_F(Cgroup, SmallerOfBothVersions) {
  own("1:cpu:/\n0::/a\n");
  mounts(std::string(kUnifiedMount) + kCpuMount);
  file("/sys/fs/cgroup/a/cpu.max", "500000 100000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 400u);
}

// Another container's folder, mounted where it can be seen.
TEST_F(Cgroup, MountOfAnotherGroup) {
  own("0::/mine\n");
  mounts("30 24 0:26 /other /mnt rw - cgroup2 cgroup2 rw\n");
  file("/mnt/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0u);
}

TEST_F(Cgroup, FewestTasksUpTheTree) {
  own("0::/a/b\n");
  mounts(kUnifiedMount);
  EXPECT_EQ(tasks(), kNoTaskLimit);
  file("/sys/fs/cgroup/a/b/pids.max", "max\n");
  file("/sys/fs/cgroup/a/b/pids.current", "3\n");
  EXPECT_EQ(tasks(), kNoTaskLimit);
  file("/sys/fs/cgroup/a/pids.max", "100\n");
  EXPECT_EQ(tasks(), kNoTaskLimit);
  file("/sys/fs/cgroup/a/pids.current", "40\n");
  EXPECT_EQ(tasks(), 60u);
  file("/sys/fs/cgroup/a/b/pids.max", "10\n");
  EXPECT_EQ(tasks(), 7u);
  file("/sys/fs/cgroup/a/pids.current", "101\n");
  EXPECT_EQ(tasks(), 0u);
}

TEST_F(Cgroup, PidsControllerOfVersion1) {
  own("5:pids:/x\n2:cpu,cpuacct:/a\n");
  mounts(std::string(kCpuMount) + "32 24 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  file("/sys/fs/cgroup/pids/x/pids.max", "64\n");
  file("/sys/fs/cgroup/pids/x/pids.current", "4\n");
  EXPECT_EQ(tasks(), 60u);
  EXPECT_EQ(quota(), 0u);
}

TEST_F(Cgroup, LeastMemoryUpTheTree) {
  own("0::/a/b\n");
  mounts(kUnifiedMount);
  EXPECT_EQ(memory(), kNoMemoryLimit);
  file("/sys/fs/cgroup/a/b/memory.max", "max\n");
  file("/sys/fs/cgroup/a/b/memory.current", "3\n");
  EXPECT_EQ(memory(), kNoMemoryLimit);
  file("/sys/fs/cgroup/a/memory.max", "100000\n");
  file("/sys/fs/cgroup/a/memory.current", "40000\n");
  EXPECT_EQ(memory(), 60000u);
  // What files take is given back, but those in memory.
  file("/sys/fs/cgroup/a/memory.stat", "anon 9\nfile 20000\nkernel 5\nshmem 5000\n");
  EXPECT_EQ(memory(), 75000u);
  file("/sys/fs/cgroup/a/b/memory.max", "1000\n");
  EXPECT_EQ(memory(), 997u);
  file("/sys/fs/cgroup/a/b/memory.current", "1001\n");
  EXPECT_EQ(memory(), 0u);
}

TEST_F(Cgroup, MemoryControllerOfVersion1) {
  own("5:memory:/x\n");
  mounts("32 24 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  file("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "64000\n");
  file("/sys/fs/cgroup/memory/x/memory.usage_in_bytes", "4000\n");
  file("/sys/fs/cgroup/memory/x/memory.stat", "cache 3000\nrss 1000\nshmem 0\n");
  EXPECT_EQ(memory(), 63000u);
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "9\n");
  EXPECT_EQ(memory(), 63000u);
}

TEST_F(Cgroup, LongLines) {
  own("0::/a\n");
  for (const size_t length : {900u, 1000u, 1022u, 1023u, 1024u, 1025u, 2048u, 5000u}) {
    const std::string overlay =
        "1 2 0:3 / / rw - overlay overlay lowerdir=" + std::string(length - 42, 'x') + "\n";
    mounts(overlay + overlay + kUnifiedMount + overlay);
    file("/sys/fs/cgroup/a/cpu.max", "110000 100000\n");
    EXPECT_EQ(quota(), 110u) << length;
  }
}

TEST_F(Cgroup, PathThatDoesNotFit) {
  own("0::/" + std::string(900, 'p') + "\n");
  mounts("30 24 0:26 / /" + std::string(120, 'm') + " rw - cgroup2 cgroup2 rw\n");
  EXPECT_EQ(quota(), 0u);
}

}  // namespace
}  // namespace mmt::sys::cgroup
