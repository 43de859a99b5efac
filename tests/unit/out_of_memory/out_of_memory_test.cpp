// Every call of the OS contract for memory fails, each place that makes it in its turn. The
// program's request is refused or served, and what the program holds is intact. All is as before
// when the calls succeed again.
#include <array>
#include <iostream>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "unit/out_of_memory/call_sites.h"
#include "unit/out_of_memory/injected_run.h"

namespace mmt::out_of_memory {
namespace {

using sys::fake::Call;
using sys::fake::Mode;
using sys::fake::Plan;
using sys::fake::SiteId;

constexpr uint32_t bit(Call call) { return 1u << static_cast<unsigned>(call); }

// Runs without a plan that show which places are reached. Pages are renewed only where they cannot
// be moved.
struct Recording {
  Setting setting;
  uint32_t refused;
};
constexpr Recording kRecordings[] = {{Setting::kServed, 0},
                                     {Setting::kServed, bit(Call::kMovePages)},
                                     {Setting::kHugePages, 0},
                                     {Setting::kDirect, 0}};
// The memory thread does not make all its calls in every run.
constexpr int kRecordingRuns = 2;
constexpr int kRetries = 60;

// Which call of a place fails first, and every how-manieth of all: so many of these.
constexpr std::array<uint32_t, 5> kAllNumbers = {1, 2, 3, 5, 8};
constexpr std::array<uint32_t, 5> kAllEvery = {2, 3, 5, 7, 11};
constexpr std::span kNumbers = std::span(kAllNumbers).first(MMT_INJECTIONS);
constexpr std::span kEvery = std::span(kAllEvery).first(MMT_INJECTIONS);

// A place, and the recording that reached it most often. Another may reach it more often when the
// machine is busy.
struct Reached {
  CallSite site;
  Recording recording;
  uint32_t calls;
};
using ReachedSites = std::map<SiteId, Reached>;

const std::vector<CallSite>& known_sites() {
  static const std::vector<CallSite> sites = call_sites_of_sources();
  return sites;
}

std::string describe(const Recording& recording) {
  return std::string(name_of(recording.setting)) +
         (recording.refused != 0 ? ", pages cannot be moved" : "");
}

void note(const Recording& recording, const Outcome& outcome, ReachedSites* reached) {
  for (const auto& [id, count] : outcome.sites) {
    const auto [entry, fresh] = reached->try_emplace(id, Reached{{}, recording, count.calls});
    if (fresh) entry->second.site = locate(id, known_sites());
    if (count.calls <= entry->second.calls) continue;
    entry->second.recording = recording;
    entry->second.calls = count.calls;
  }
}

ReachedSites record() {
  ReachedSites reached;
  for (const Recording& recording : kRecordings) {
    for (int run = 0; run < kRecordingRuns; ++run) {
      const Plan plan{.refused = recording.refused};
      const Outcome outcome = run_injected(recording.setting, plan);
      EXPECT_EQ(outcome.problem, "") << describe(recording);
      note(recording, outcome, &reached);
    }
  }
  return reached;
}

// How often the calls of `site` failed.
uint32_t inject(Mode mode, SiteId id, const Reached& reached, const Recording& recording,
                uint32_t number) {
  const Outcome outcome = run_injected(recording.setting, {mode, id, number, recording.refused});
  EXPECT_EQ(outcome.problem, "") << describe(reached.site) << " fails "
                                 << (mode == Mode::kOnce ? "at call " : "from call ") << number
                                 << ", " << describe(recording);
  const auto count = outcome.sites.find(id);
  return count == outcome.sites.end() ? 0 : count->second.failed;
}

void inject_everywhere(Mode mode) {
  size_t runs = 0;
  // By the place in the sources: a compiler makes several of one, some of which are seldom reached.
  std::map<CallSite, uint32_t> failed;
  const ReachedSites all = record();
  for (const auto& [id, reached] : all) {
    for (const uint32_t number : kNumbers) {
      if (number > reached.calls) break;
      failed[reached.site] += inject(mode, id, reached, reached.recording, number);
      ++runs;
    }
  }
  for (const auto& [id, reached] : all) {
    for (int i = 0; i < kRetries && failed[reached.site] == 0; ++i, ++runs) {
      const Recording& recording = kRecordings[static_cast<size_t>(i) % std::size(kRecordings)];
      failed[reached.site] += inject(mode, id, reached, recording, 1);
    }
  }
  for (const auto& [site, count] : failed)
    EXPECT_NE(count, 0u) << "never made to fail: " << describe(site);
  std::cout << runs << " runs\n";
}

TEST(OutOfMemory, WorkloadReachesEveryCallSite) {
  const std::vector<CallSite>& known = known_sites();
  std::set<Call> calls;
  for (const CallSite& site : known) calls.insert(site.call);
  EXPECT_EQ(calls.size(), sys::fake::kCallCount) << "the search for call sites finds too few";
  std::map<CallSite, size_t> seen;
  for (const auto& [id, reached] : record()) {
    EXPECT_NE(reached.site.file, "")
        << name_of(reached.site.call) << " is called from an unknown place";
    ++seen[reached.site];
    std::cout << describe(reached.site) << ": " << reached.calls << " calls ("
              << describe(reached.recording) << ")\n";
  }
  for (const CallSite& site : known)
    EXPECT_NE(seen[site], 0u) << "not reached by the workload: " << describe(site);
}

TEST(OutOfMemory, OneCallFails) { inject_everywhere(Mode::kOnce); }

TEST(OutOfMemory, CallsFailFromOneOn) { inject_everywhere(Mode::kFrom); }

TEST(OutOfMemory, EveryNthCallFails) {
  for (const Recording& recording : kRecordings) {
    for (const uint32_t number : kEvery) {
      const Outcome outcome =
          run_injected(recording.setting, {Mode::kEvery, 0, number, recording.refused});
      EXPECT_EQ(outcome.problem, "")
          << "every call number " << number << ", " << describe(recording);
    }
  }
}

}  // namespace
}  // namespace mmt::out_of_memory
