// Tests of the choice of allocators and of the look at mapped files.
#include "cli/measure/contenders.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "cli/failure.h"

namespace mmt::cli {
namespace {

std::string failure_of(const std::vector<std::string>& list) {
  try {
    choose_contenders(list);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "no failure";
}

bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(Contenders, DefaultHasGlibcAndNamesWhatIsMissing) {
  const Contenders chosen = choose_contenders({});
  EXPECT_TRUE(std::any_of(chosen.present.begin(), chosen.present.end(),
                          [](const auto& one) { return one.name == "glibc"; }));
  EXPECT_EQ(chosen.present.size() + chosen.missing.size(), 6u);
  for (const auto& one : chosen.missing) EXPECT_FALSE(one.remedy.empty());
}

TEST(Contenders, ProblemsAreNamed) {
  EXPECT_NE(failure_of({"nomalloc"}).find("'nomalloc'"), std::string::npos);
  EXPECT_NE(failure_of({"glibc", "glibc"}).find("twice"), std::string::npos);
  EXPECT_NE(failure_of({"x=/no/such.so"}).find("/no/such.so"), std::string::npos);
  EXPECT_NE(failure_of({"glibc:quiet=on"}).find("takes no options"), std::string::npos);
}

TEST(Contenders, VariantsOfMmtCarryTheirOptions) {
  const report::BenchAllocator variant{"mmt:quiet=on", "/x/libmmt.so", "quiet=on", "", true};
  const auto environment = environment_for(variant, {"A=b"});
  EXPECT_TRUE(has(environment, "LD_PRELOAD=/x/libmmt.so"));
  EXPECT_TRUE(has(environment, "MMT_QUIET=on"));
  EXPECT_TRUE(has(environment, "A=b"));
}

TEST(Contenders, PreloadsAndOptionsOfTheUserReachNoPeer) {
  setenv("LD_PRELOAD", "", 1);
  setenv("MMT_QUIET", "on", 1);
  const auto environment = environment_for({"glibc", "", "", "", false}, {"PATH=/x"});
  unsetenv("LD_PRELOAD");
  unsetenv("MMT_QUIET");
  for (const std::string& one : environment) {
    EXPECT_FALSE(one.starts_with("LD_PRELOAD=") || one.starts_with("MMT_")) << one;
  }
  EXPECT_TRUE(has(environment, "PATH=/x"));
  EXPECT_EQ(std::count_if(environment.begin(), environment.end(),
                          [](const std::string& one) { return one.starts_with("PATH="); }),
            1);
}

TEST(Contenders, MappedFilesMustAgree) {
  const report::BenchAllocator glibc{"glibc", "", "", "", false};
  const report::BenchAllocator jemalloc{"jemalloc", "/x/libjemalloc.so.2", "", "", false};
  const std::vector<MappedFile> plain{{1, "/usr/bin/x"}, {2, "/lib/libc.so.6"}};
  std::vector<MappedFile> preloaded = plain;
  preloaded.push_back({3, "/x/libjemalloc.so.2"});
  EXPECT_EQ(disagreement(glibc, plain), "");
  EXPECT_EQ(disagreement(jemalloc, preloaded), "");
  EXPECT_NE(disagreement(jemalloc, plain), "");
  EXPECT_NE(disagreement(glibc, preloaded), "") << "linked against another allocator";
  EXPECT_NE(disagreement(glibc, {}), "");
}

}  // namespace
}  // namespace mmt::cli
