// Parsing of what the kernel says about control groups, line by line.
#include "sys/linux/cgroup_text.h"

#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace mmt::sys::cgroup {
namespace {

using Rooted = std::pair<std::string, std::string>;

std::optional<Rooted> mount_in(Hierarchy hierarchy, std::string line) {
  Mount mount;
  if (!parse_mount(hierarchy, line.data(), &mount)) return std::nullopt;
  return Rooted{mount.root, mount.point};
}

TEST(CgroupText, FindsThePathByController) {
  EXPECT_STREQ(path_in(Hierarchy::kCpu, "4:cpu,cpuacct:/a/b"), "/a/b");
  EXPECT_STREQ(path_in(Hierarchy::kCpu, "4:cpuacct,cpu:/"), "/");
  EXPECT_STREQ(path_in(Hierarchy::kCpu, "1:cpu:/with:colon"), "/with:colon");
  EXPECT_EQ(path_in(Hierarchy::kCpu, "3:cpuset:/a"), nullptr);
  EXPECT_EQ(path_in(Hierarchy::kCpu, "2:cpuacct:/a"), nullptr);
  EXPECT_EQ(path_in(Hierarchy::kCpu, "9:name=systemd:/a"), nullptr);
  EXPECT_EQ(path_in(Hierarchy::kCpu, "0::/a"), nullptr);
  EXPECT_STREQ(path_in(Hierarchy::kUnified, "0::/user.slice"), "/user.slice");
  EXPECT_EQ(path_in(Hierarchy::kUnified, "1:cpu:/a"), nullptr);
  EXPECT_EQ(path_in(Hierarchy::kUnified, ""), nullptr);
  EXPECT_EQ(path_in(Hierarchy::kUnified, "0:"), nullptr);
}

TEST(CgroupText, TakesMountsApart) {
  EXPECT_EQ(mount_in(Hierarchy::kUnified,
                     "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw"),
            (Rooted{"/", "/sys/fs/cgroup"}));
  EXPECT_EQ(
      mount_in(Hierarchy::kCpu,
               "32 31 0:29 /docker/a /sys/fs/cgroup/cpu,cpuacct ro master:1 propagate_from:2 - "
               "cgroup cgroup rw,cpu,cpuacct"),
      (Rooted{"/docker/a", "/sys/fs/cgroup/cpu,cpuacct"}));
  EXPECT_EQ(
      mount_in(Hierarchy::kCpu, "1 2 0:3 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset"),
      std::nullopt);
  EXPECT_EQ(mount_in(Hierarchy::kUnified, "1 2 0:3 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu"),
            std::nullopt);
  EXPECT_EQ(mount_in(Hierarchy::kCpu, "1 2 0:3 / /tmp rw - tmpfs cpu rw,mode=755"), std::nullopt);
}

TEST(CgroupText, DecodesBlanksAndBackslashes) {
  EXPECT_EQ(
      mount_in(Hierarchy::kUnified, R"(1 2 0:3 /a\134x2db /my\040groups rw - cgroup2 none rw)"),
      (Rooted{R"(/a\x2db)", "/my groups"}));
}

TEST(CgroupText, SurvivesMalformedMounts) {
  for (const char* line :
       {"", " ", "1 2 3", "1 2 3 / /a rw", "1 2 3 / /a rw -", "1 2 3 / /a rw - "})
    EXPECT_EQ(mount_in(Hierarchy::kUnified, line), std::nullopt) << line;
}

TEST(CgroupText, FindsThePartBelowARoot) {
  EXPECT_STREQ(part_below("/", "/"), "");
  EXPECT_STREQ(part_below("/", "/a/b"), "/a/b");
  EXPECT_STREQ(part_below("/a", "/a"), "");
  EXPECT_STREQ(part_below("/a", "/a/b"), "/b");
  EXPECT_EQ(part_below("/a", "/ab"), nullptr);
  EXPECT_EQ(part_below("/a", "/"), nullptr);
  // Seen from inside a cgroup namespace: a mount made outside, and a process that is outside.
  EXPECT_EQ(part_below("/..", "/"), nullptr);
  EXPECT_STREQ(part_below("/../..", "/../../a"), "/a");
  EXPECT_EQ(part_below("/", "/../a"), nullptr);
  EXPECT_STREQ(part_below("/", "/..a"), "/..a");
}

TEST(CgroupText, ParsesQuotas) {
  EXPECT_EQ(parse_cpu_max("max 100000\n"), 0u);
  EXPECT_EQ(parse_cpu_max("150000 100000\n"), 150u);
  EXPECT_EQ(parse_cpu_max("199999 100000"), 199u);
  EXPECT_EQ(parse_cpu_max("1000 1000000"), 1u);
  EXPECT_EQ(parse_cpu_max("150000"), 0u);
  EXPECT_EQ(parse_cpu_max("150000 0"), 0u);
  EXPECT_EQ(parse_cpu_max("99999999999999999999999 100000"), 0u);
  EXPECT_EQ(parse_cpu_max(""), 0u);
  EXPECT_EQ(parse_cfs("-1\n", "100000\n"), 0u);
  EXPECT_EQ(parse_cfs("200000\n", "100000\n"), 200u);
  EXPECT_EQ(parse_cfs("200000\n", ""), 0u);
}

}  // namespace
}  // namespace mmt::sys::cgroup
