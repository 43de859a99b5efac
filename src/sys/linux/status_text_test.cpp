// Parsing of a thread's status, in pieces of any size.
#include "sys/linux/status_text.h"

#include <string>

#include <gtest/gtest.h>

namespace mmt::sys {
namespace {

std::string status(const std::string& users, const std::string& groups, const std::string& more,
                   const std::string& state = "S (sleeping)",
                   const std::string& descriptors = "64") {
  return "Name:\tUid: 7 Z\nUmask:\t0022\nState:\t" + state + "\nTgid:\t7\nUid:\t" + users +
         "\nGid:\t" + groups + "\nFDSize:\t" + descriptors + "\nGroups:\t" + more +
         " \nVmPeak:\t 1 kB\nGroups:\tno more\n";
}

StatusText read(const std::string& text, size_t piece) {
  StatusText read;
  for (size_t at = 0; at < text.size(); at += piece) {
    const std::string part = text.substr(at, piece);
    if (!read.read(part.data(), part.size())) break;
  }
  return read;
}

TEST(StatusText, IsTheSameInPiecesOfAnySize) {
  const std::string text = status("0\t0\t0\t0", "0\t0\t0\t0", "4 24 27");
  const StatusText whole = read(text, text.size());
  EXPECT_TRUE(whole.is_whole());
  EXPECT_FALSE(whole.has_ended());
  for (size_t piece = 1; piece < 40; ++piece) {
    EXPECT_TRUE(read(text, piece).is_whole());
    EXPECT_EQ(read(text, piece).hash(), whole.hash());
  }
}

TEST(StatusText, DiffersWithEachUserAndGroup) {
  const uint64_t plain = read(status("0\t0\t0\t0", "0\t0\t0\t0", "4 24"), 100).hash();
  for (const char* ids : {"1\t0\t0\t0", "0\t1\t0\t0", "0\t0\t1\t0", "0\t0\t0\t1"}) {
    EXPECT_NE(read(status(ids, "0\t0\t0\t0", "4 24"), 100).hash(), plain) << ids;
    EXPECT_NE(read(status("0\t0\t0\t0", ids, "4 24"), 100).hash(), plain) << ids;
  }
  EXPECT_NE(read(status("0\t0\t0\t0", "0\t0\t0\t0", "4"), 100).hash(), plain);
  EXPECT_NE(read(status("0\t0\t0\t0", "0\t0\t0\t0", ""), 100).hash(), plain);
}

TEST(StatusText, IsNotOfWhatThreadsHaveEachForItself) {
  const StatusText one = read(status("0\t0\t0\t0", "0\t0\t0\t0", "4", "R (running)", "64"), 9);
  const StatusText other = read(status("0\t0\t0\t0", "0\t0\t0\t0", "4", "S (sleeping)", "1024"), 9);
  EXPECT_EQ(one.hash(), other.hash());
}

TEST(StatusText, TellsOfEndedThreads) {
  EXPECT_TRUE(read(status("0\t0\t0\t0", "0\t0\t0\t0", "4", "Z (zombie)"), 3).has_ended());
  EXPECT_TRUE(read(status("0\t0\t0\t0", "0\t0\t0\t0", "4", "X (dead)"), 1000).has_ended());
  EXPECT_FALSE(read(status("0\t0\t0\t0", "0\t0\t0\t0", "4", "S (Zzz)"), 3).has_ended());
}

TEST(StatusText, KnowsTheKernelsThreads) {
  const auto named = [](const std::string& name) {
    const std::string text = status("0\t0\t0\t0", "0\t0\t0\t0", "4");
    return read("Name:\t" + name + text.substr(text.find('\n')), 3).is_kernels();
  };
  EXPECT_TRUE(named("iou-wrk-17"));
  EXPECT_TRUE(named("iou-sqp-17"));
  EXPECT_FALSE(named("iouring"));
  EXPECT_FALSE(named("my iou-wrk"));
  EXPECT_FALSE(named("io"));
}

TEST(StatusText, KnowsThatItWasCut) {
  const std::string text = status("0\t0\t0\t0", "0\t0\t0\t0", "4 24 27");
  EXPECT_FALSE(read(text.substr(0, text.find("27")), 7).is_whole());
  EXPECT_FALSE(read("", 1).is_whole());
}

}  // namespace
}  // namespace mmt::sys
