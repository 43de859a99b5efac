// A program's memory in words.
#include "cli/stats/heap_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "cli/stats/process_tree.h"
#include "interprocess/stats_page.h"
#include "report/units.h"
#include "report/wrapped_text.h"

namespace mmt::cli {
namespace {

using observe::Stat;
using report::counted;
using report::format_count;

constexpr std::size_t kNameWidth = 15;
constexpr std::ptrdiff_t kMostLines = 10;  // with the heading
constexpr const char* kLargeBlocks = "large blocks";
constexpr const char* kPages = "pages";
// The first goes first.
constexpr std::array kWorthLeast{kLargeBlocks, kPages};

std::string bytes(std::uint64_t amount) {
  return report::format_bytes(static_cast<double>(amount));
}

std::string share(double part, double whole) {
  return fmt::format("{}%", report::format_number(whole > 0 ? 100 * part / whole : 0));
}

std::string cpu_time(const HeapFigures& figures) {
  const double thread = 1e-9 * static_cast<double>(figure(figures.counters, Stat::kServerCpuNs));
  if (thread == 0) return report::format_value(figures.cpu_seconds, "s");
  const double all = std::max(figures.cpu_seconds, thread);
  return fmt::format("{}, of which the memory thread {} ({})", report::format_value(all, "s"),
                     report::format_value(thread, "s"), share(thread, all));
}

std::string when(const HeapFigures& figures) {
  if (figures.is_running) return "now";
  return figures.has_exited ? "at the end" : "last seen";
}

// A child's blocks may be its parent's, still shared, or its own in their place: nothing tells
// which.
std::string of_forks(std::uint64_t inherited) {
  return inherited == 0 ? "" : fmt::format(", {} of it inherited by forks", bytes(inherited));
}

// A heap of so little is a span for each size that was asked for once: its peak would mislead.
constexpr std::uint64_t kFewSpans = 4 << 20;

// Free blocks of the program's spans count in the peak: nothing counts blocks as they come and go.
std::string asked(const HeapFigures& figures) {
  const auto now = figure(figures.last, Stat::kInUseBytes);
  const auto blocks = figure(figures.last, Stat::kInUseBlocks);
  std::string most = fmt::format("at most {} at once", bytes(figures.asked_peak));
  if (figures.is_tree()) return most + of_forks(figures.asked_inherited);
  if (figures.is_uncounted()) return most;
  if (figures.asked_peak >= figures.held_peak && figures.held_peak <= kFewSpans)
    most = "at most what MMT held";
  if (blocks == 0) return fmt::format("{}, nothing {}", most, when(figures));
  return fmt::format("{}, {} in {} {}", most, bytes(now), counted(blocks, "block", "blocks"),
                     when(figures));
}

std::string held(const HeapFigures& figures) {
  const auto now = figure(figures.last, Stat::kHeldBytes);
  if (figures.is_tree()) {
    return fmt::format("at most {} at the peak{}", bytes(figures.held_peak),
                       of_forks(figures.held_inherited));
  }
  if (figures.is_uncounted()) return fmt::format("{} at the peak", bytes(figures.held_peak));
  return fmt::format("{} at the peak, {} {}", bytes(figures.held_peak),
                     now != 0 ? bytes(now) : "nothing", when(figures));
}

std::string resident(const HeapFigures& figures) {
  std::string text = fmt::format("{} at the peak", bytes(figures.resident_peak));
  if (figures.is_running) text += fmt::format(", {} now", bytes(figures.resident_now));
  if (figures.is_tree()) text += " (largest process)";
  return text + fmt::format("; {}", counted(figures.page_faults, "page fault", "page faults"));
}

// What threads use again from their caches counts neither way: there were more, or as many.
std::string blocks(const HeapFigures& figures) {
  if (figures.is_uncounted())
    return figures.is_running ? "not counted yet" : "not told: it ended before they were counted";
  if (figures.taken == 0) return "few left the threads' caches";
  std::string text = fmt::format("at least {} taken", format_count(figures.taken));
  // The rate over a moment can be more than fits.
  if (const double rate = std::min(figures.taken_a_second, 1e18); rate >= 1)
    text += fmt::format(" ({}/s)", format_count(static_cast<std::uint64_t>(rate)));
  if (figures.given != 0) text += fmt::format(", {} freed", format_count(figures.given));
  return text;
}

// Empty: there was none.
std::string large(const HeapFigures& figures) {
  const auto taken = figure(figures.counters, Stat::kLargeTaken);
  if (taken == 0) return "";
  return fmt::format("{} allocated, {} freed (above 256 KiB each)", format_count(taken),
                     format_count(figure(figures.counters, Stat::kLargeGiven)));
}

// What is given back counts with the pages in it that were never touched. Empty: there was none.
std::string ahead(const HeapFigures& figures) {
  const auto resident = figure(figures.counters, Stat::kPrefaultBytes);
  const auto given = figure(figures.counters, Stat::kPurgedBytes);
  std::string text;
  if (resident != 0) text = fmt::format("{} made resident ahead of use", bytes(resident));
  if (given != 0)
    text += fmt::format("{}up to {} given back", text.empty() ? "" : ", ", bytes(given));
  return text;
}

constexpr std::uint64_t kStarting = 1;
constexpr std::uint64_t kServes = 2;

// The state is a number of ServerRole.
std::string state(std::uint64_t number) {
  switch (number) {
    case 0:
      return "not started: the heap stayed small, or a limit forbids it (see 'mmt doctor')";
    case kStarting:
      return "being started";
    case kServes:
      return "works ahead";
    case 3:
      return "none: switched off, or not possible here (see 'mmt doctor')";
    case 4:
      return "none: the system does not allow it";
    case 5:
      return "only gives memory back: too few CPUs (see 'mmt doctor')";
    default:
      return "unknown";
  }
}

// An estimate of what a page that lies ready spares a thread: docs/memory_thread.md has
// measurements.
constexpr double kSparedSecondsAPage = 250e-9;
constexpr double kPageBytes = 4096;

// Empty: nothing that counts for the program.
std::string spared(const HeapFigures& figures) {
  const auto ahead = static_cast<double>(figure(figures.counters, Stat::kPrefaultBytes));
  if (ahead == 0) return "";
  return fmt::format(", which saves the program about {}",
                     report::format_value(kSparedSecondsAPage * ahead / kPageBytes, "s"));
}

// Empty: it did nothing yet as the program ended.
std::string memory_thread(const HeapFigures& figures) {
  std::string text;
  if (figures.is_tree()) {
    text = fmt::format("served {} of {} processes", format_count(figures.served),
                       format_count(figures.processes));
  } else if (const auto number = figure(figures.last, Stat::kServerState);
             number != kStarting || figures.is_running) {
    text = state(number);
    if (number == kServes) text += spared(figures);
  }
  if (figures.threads < 2) return text;
  return fmt::format("{}{}at most {} threads at a time", text, text.empty() ? "" : ", ",
                     format_count(figures.threads));
}

std::string rendered(const HeapLines& lines) {
  std::string text;
  for (const HeapLine& line : lines)
    text += report::wrapped(fmt::format("  {:{}}", line.name, kNameWidth), line.text);
  return text;
}

}  // namespace

// The first block, however large, makes its thread known to the heap, or takes memory of it.
bool is_unused(const std::vector<std::uint64_t>& values) {
  return figure(values, Stat::kClients) == 0 && figure(values, Stat::kInUseBytes) == 0 &&
         figure(values, Stat::kMostInUseBytes) == 0;
}

HeapLines kernel_lines(const HeapFigures& figures) {
  return {{"CPU time", cpu_time(figures)}, {"resident", resident(figures)}};
}

HeapLines heap_lines(const HeapFigures& figures) {
  HeapLines lines{{"CPU time", cpu_time(figures)},
                  {"asked for", asked(figures)},
                  {"held by MMT", held(figures)},
                  {"resident", resident(figures)},
                  {"blocks", blocks(figures)}};
  // In a tree the names of its programs are worth more.
  if (!figures.is_tree()) {
    lines.push_back({kLargeBlocks, large(figures)});
  }
  lines.push_back({kPages, ahead(figures)});
  lines.push_back({"memory thread", memory_thread(figures)});
  std::erase_if(lines, [](const HeapLine& line) { return line.text.empty(); });
  return lines;
}

std::string below_heading(HeapLines lines) {
  std::string text = rendered(lines);
  for (const std::string_view name : kWorthLeast) {
    if (std::ranges::count(text, '\n') < kMostLines) break;
    std::erase_if(lines, [name](const HeapLine& line) { return line.name == name; });
    text = rendered(lines);
  }
  return text;
}

}  // namespace mmt::cli
