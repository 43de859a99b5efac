// A program's memory in words.
#include "cli/stats/heap_lines.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "cli/stats/process_tree.h"
#include "observe/stats_page.h"
#include "report/units.h"
#include "report/wrapped_text.h"

namespace mmt::cli {
namespace {

using observe::Stat;
using report::format_count;

constexpr std::size_t kNameWidth = 15;

std::string bytes(std::uint64_t amount) {
  return report::format_bytes(static_cast<double>(amount));
}

std::string share(double part, double whole) {
  return fmt::format("{}%", report::format_number(whole > 0 ? 100 * part / whole : 0));
}

std::string whole_share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.0f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string cpu_time(const HeapFigures& figures) {
  const double thread = 1e-9 * static_cast<double>(figure(figures.counters, Stat::kServerCpuNs));
  if (thread == 0) return report::format_value(figures.cpu_seconds, "s");
  const double all = std::max(figures.cpu_seconds, thread);
  return fmt::format("{}, of which the memory thread {} ({})", report::format_value(all, "s"),
                     report::format_value(thread, "s"), share(thread, all));
}

std::string asked(const HeapFigures& figures) {
  const auto now = figure(figures.last, Stat::kInUseBytes);
  const auto blocks = figure(figures.last, Stat::kInUseBlocks);
  if (figures.is_tree()) return fmt::format("at most {} at the peak", bytes(figures.asked_peak));
  return fmt::format("{} at the peak, {} in {} {}", bytes(figures.asked_peak), bytes(now),
                     counted(blocks, "block", "blocks"), figures.is_running ? "now" : "at the end");
}

std::string held(const HeapFigures& figures) {
  const auto now = figure(figures.last, Stat::kHeldBytes);
  if (figures.is_tree()) return fmt::format("at most {} at the peak", bytes(figures.held_peak));
  return fmt::format("{} at the peak, {} {}", bytes(figures.held_peak), bytes(now),
                     figures.is_running ? "now" : "at the end");
}

std::string resident(const HeapFigures& figures) {
  std::string text = fmt::format("{} at the peak", bytes(figures.resident_peak));
  if (figures.is_running) text += fmt::format(", {} now", bytes(figures.resident_now));
  if (figures.is_tree()) text += " (the largest process)";
  return text + fmt::format("; {}", counted(figures.page_faults, "page fault", "page faults"));
}

std::string blocks(const HeapFigures& figures) {
  return fmt::format("{} taken, {} given back, {}/s; reuse not counted",
                     format_count(figures.taken), format_count(figures.given),
                     format_count(static_cast<std::uint64_t>(figures.blocks_a_second)));
}

std::string more_memory(const HeapFigures& figures) {
  const auto supplied = figure(figures.counters, Stat::kSpansSupplied);
  const auto needed = supplied + figure(figures.counters, Stat::kSpansSelf) +
                      figure(figures.counters, Stat::kSpansCarved);
  std::string text = fmt::format("{} a thread needed more", counted(needed, "time", "times"));
  if (needed != 0) text += fmt::format("; {} of it lay ready", whole_share(supplied, needed));
  return text;
}

std::string large(const HeapFigures& figures) {
  return fmt::format("{} allocated, {} freed (above 256 KiB each)",
                     format_count(figure(figures.counters, Stat::kLargeTaken)),
                     format_count(figure(figures.counters, Stat::kLargeGiven)));
}

std::string ahead(const HeapFigures& figures) {
  return fmt::format("{} made resident ahead of use, {} given back",
                     bytes(figure(figures.counters, Stat::kPrefaultBytes)),
                     bytes(figure(figures.counters, Stat::kPurgedBytes)));
}

// Of ServerRole.
std::string state(std::uint64_t number) {
  switch (number) {
    case 0:
      return "not started: the heap stayed small, or a limit forbids it (see 'mmt doctor')";
    case 1:
      return "being started";
    case 2:
      return "serves";
    case 3:
      return "none: switched off, or not possible here (see 'mmt doctor')";
    case 4:
      return "none: the system does not allow it";
    case 5:
      return "stands back, as others want its CPU";
    case 6:
      return "only gives memory back: too few CPUs (see 'mmt doctor')";
    default:
      return "unknown";
  }
}

std::string memory_thread(const HeapFigures& figures) {
  if (!figures.is_tree()) return state(figure(figures.last, Stat::kServerState));
  return fmt::format("served {} of {} processes", format_count(figures.served),
                     format_count(figures.processes));
}

std::string threads(const HeapFigures& figures) {
  return fmt::format("at most {} used the heap at a time", format_count(figures.threads));
}

}  // namespace

std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
  return format_count(count) + " " + (count == 1 ? one : many);
}

std::string heap_line(const std::string& name, const std::string& text) {
  return report::wrapped(fmt::format("  {:{}}", name, kNameWidth), text);
}

std::string kernel_lines(const HeapFigures& figures) {
  return heap_line("CPU time", cpu_time(figures)) + heap_line("resident", resident(figures));
}

std::string heap_lines(const HeapFigures& figures) {
  std::string text;
  const auto add = [&](const char* name, const std::string& line) {
    text += heap_line(name, line);
  };
  add("CPU time", cpu_time(figures));
  add("asked for", asked(figures));
  add("held by MMT", held(figures));
  add("resident", resident(figures));
  add("blocks", blocks(figures));
  add("more memory", more_memory(figures));
  add("large blocks", large(figures));
  add("pages", ahead(figures));
  add("memory thread", memory_thread(figures));
  add("threads", threads(figures));
  return text;
}

}  // namespace mmt::cli
