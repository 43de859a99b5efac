// What is taken out of the environment, and what is left.
#include "names/inherited.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mmt::names {
namespace {

std::vector<std::string> without_library(std::vector<std::string> variables) {
  std::vector<char*> environment;
  for (std::string& variable : variables) environment.push_back(variable.data());
  environment.push_back(nullptr);
  remove_library(environment.data(), "/opt/lib/libmmt.so");
  std::vector<std::string> left;
  for (char** e = environment.data(); *e != nullptr; ++e) left.emplace_back(*e);
  return left;
}

using Variables = std::vector<std::string>;

TEST(Environment, LosesTheLibraryAndItsSettings) {
  EXPECT_EQ(without_library({"A=1", "LD_PRELOAD=/opt/lib/libmmt.so", "MMT_QUIET=on", "B=2"}),
            (Variables{"A=1", "B=2"}));
}

TEST(Environment, KeepsOtherLibrariesInTheirOrder) {
  EXPECT_EQ(without_library({"LD_PRELOAD=a.so:/opt/lib/libmmt.so:/x/b.so"}),
            (Variables{"LD_PRELOAD=a.so:/x/b.so"}));
  EXPECT_EQ(without_library({"LD_PRELOAD=libmmt.so a.so  b.so"}),
            (Variables{"LD_PRELOAD=a.so:b.so"}));
  EXPECT_EQ(without_library({"LD_PRELOAD=/mine/notlibmmt.so"}),
            (Variables{"LD_PRELOAD=/mine/notlibmmt.so"}));
}

TEST(Environment, KnowsTheLibraryByAnyPath) {
  EXPECT_EQ(without_library({"LD_PRELOAD=/usr/$LIB/libmmt.so:libmmt.so"}), Variables{});
}

TEST(Environment, LosesWhatCameWithTheLibrary) {
  EXPECT_EQ(without_library({"LD_PRELOAD=/opt/lib/libmmt.so:/x/libheap.so:/y/other.so",
                             "MMT_PRELOADED=/opt/lib/libmmt.so:/x/libheap.so"}),
            Variables{"LD_PRELOAD=/y/other.so"});
}

TEST(Environment, TellsWhetherTheLibraryWasNamed) {
  const auto is_named = [](std::string variable) {
    char* environment[] = {variable.data(), nullptr};
    return remove_library(environment, "/opt/lib/libmmt.so");
  };
  EXPECT_TRUE(is_named("LD_PRELOAD=a.so:libmmt.so"));
  EXPECT_FALSE(is_named("LD_PRELOAD=a.so"));
  EXPECT_FALSE(is_named("PATH=libmmt.so"));
}

TEST(Environment, LeavesTheRestAlone) {
  const Variables untouched{"", "=", "LD_PRELOADED=libmmt.so", "XMMT_A=1", "PATH=/bin"};
  EXPECT_EQ(without_library(untouched), untouched);
  remove_library(nullptr, "/opt/lib/libmmt.so");
}

}  // namespace
}  // namespace mmt::names
