// Every order of the shipped headers is needed: weakening any single one, by any single step, makes
// a scenario fail. And there is no order beside those: the headers name no other.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/suite.h"

namespace mmt::model {
namespace {

const char* name_of(std::memory_order order) {
  switch (order) {
    case std::memory_order_seq_cst:
      return "seq_cst";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acquire:
      return "acquire";
    default:
      return "relaxed";
  }
}

// The next weaker orders, and relaxed, which is no weaker than what those allow.
std::vector<std::memory_order> weaker(std::memory_order order) {
  switch (order) {
    case std::memory_order_seq_cst:
      return {std::memory_order_acq_rel, std::memory_order_relaxed};
    case std::memory_order_acq_rel:
      return {std::memory_order_acquire, std::memory_order_release, std::memory_order_relaxed};
    default:
      return {std::memory_order_relaxed};
  }
}

struct Finding {
  const char* scenario = "";
  Result result;
};

class Mutation : public testing::Test {
 protected:
  // Which scenario uses which sites; they all hold with the orders as they are.
  static void SetUpTestSuite() {
    used_.clear();
    for (const NamedScenario& scenario : kScenarios) {
      SiteSet used;
      const Result result = scenario.run({}, {}, &used);
      EXPECT_EQ(result.verdict, Result::Verdict::kHolds) << scenario.name;
      used_.push_back(used);
    }
  }

  // The first scenario that fails.
  static Finding find_failure(const sync::OrderSite& site, std::memory_order order) {
    for (size_t i = 0; i < std::size(kScenarios); ++i) {
      if (!used_[i].contains(&site)) continue;
      Result result = kScenarios[i].run({}, {&site, order}, nullptr);
      const bool found = result.verdict != Result::Verdict::kHolds &&
                         result.verdict != Result::Verdict::kIncomplete;
      if (found) return {kScenarios[i].name, std::move(result)};
    }
    return {};
  }

 private:
  static inline std::vector<SiteSet> used_;
};

TEST_F(Mutation, WeakeningAnyOrderIsFound) {
  std::printf("%-26s %-8s %-8s %-18s %-16s %s\n", "site", "order", "weakened", "found by", "as",
              "execution");
  for (const sync::OrderSite* site : kSites) {
    for (const std::memory_order order : weaker(site->order)) {
      const Finding finding = find_failure(*site, order);
      std::printf("%-26s %-8s %-8s %-18s %-16s %llu\n", site->name, name_of(site->order),
                  name_of(order), finding.scenario, name_of(finding.result.verdict),
                  static_cast<unsigned long long>(finding.result.executions + 1));
      std::fflush(stdout);
      EXPECT_NE(finding.result.verdict, Result::Verdict::kHolds)
          << site->name << " can be " << name_of(order) << ": no scenario needs more";
    }
  }
}

// The trace of a failure names the sites, so that a reader can follow it.
TEST(Traces, NameTheSites) {
  const Weakening weakening{&sync::kRingPublish, std::memory_order_relaxed};
  const Result result = explore<RingSingly<ModelSync>>({}, weakening);
  EXPECT_EQ(result.verdict, Result::Verdict::kRace);
  EXPECT_NE(result.trace.find("acquire (spsc_ring.see_tail)"), std::string::npos) << result.trace;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// All headers of sync but the seam itself.
std::vector<std::filesystem::path> headers() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(MMT_SYNC_HEADERS)) {
    if (entry.path().filename() != "model.h") found.push_back(entry.path());
  }
  return found;
}

TEST(Sites, AllAreInTheTable) {
  std::set<std::string> declared;
  const std::regex site(R"re(OrderSite k\w+\{\s*"([\w.]+)")re");
  for (const auto& path : headers()) {
    const std::string text = read_file(path);
    for (std::sregex_iterator it(text.begin(), text.end(), site), end; it != end; ++it) {
      EXPECT_TRUE(declared.insert((*it)[1]).second) << (*it)[1] << " is there twice";
    }
  }
  std::set<std::string> listed;
  for (const sync::OrderSite* entry : kSites) listed.insert(entry->name);
  EXPECT_EQ(declared, listed);
}

TEST(Sites, EachIsUsedOnceAndNothingElseOrders) {
  const std::regex declaration(R"re(inline constexpr OrderSite (k\w+)\{[^}]*\};)re");
  for (const auto& path : headers()) {
    const std::string text = read_file(path);
    const std::string code = std::regex_replace(text, declaration, "");
    EXPECT_EQ(code.find("memory_order"), std::string::npos) << path << ": an order without a name";
    EXPECT_EQ(code.find("std::atomic"), std::string::npos) << path << ": an atomic past the seam";
    for (std::sregex_iterator it(text.begin(), text.end(), declaration), end; it != end; ++it) {
      const std::regex use("\\b" + (*it)[1].str() + "\\)");
      const auto uses = std::distance(std::sregex_iterator(code.begin(), code.end(), use),
                                      std::sregex_iterator());
      EXPECT_EQ(uses, 1) << path << ": " << (*it)[1] << " must stand at one place";
    }
    // An atomic operation without an order is seq_cst.
    const std::regex bare(
        R"re(\.(load|exchange|store|fetch_\w+)\((?![^;]*(kRelaxed|Sync::order)))re");
    EXPECT_FALSE(std::regex_search(code, bare)) << path << ": an operation without an order";
  }
}

}  // namespace
}  // namespace mmt::model
