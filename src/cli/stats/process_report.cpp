// Showing a process that runs.
#include "cli/stats/process_report.h"

#include <ctime>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/stats/glance.h"
#include "cli/stats/heap_lines.h"
#include "cli/stats/process_tree.h"
#include "command/failure.h"
#include "command/in_time.h"
#include "command/json_text.h"
#include "interprocess/stats_page.h"
#include "report/text_table.h"
#include "report/units.h"
#include "report/visible.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kFailed;
using command::look_in_time;

namespace {

using observe::Stat;

// A machine that is busy takes long, too.
constexpr std::chrono::milliseconds kMostReportTime{5000};

// How long ago the figures were collected, by the clock that both processes share.
double age_seconds(const Sample& sample) {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  const double age = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                     1e-9 * static_cast<double>(figure(sample.values, Stat::kCollectedNs));
  return age > 0 ? age : 0;
}

std::string heading(const Sample& sample) {
  return fmt::format("process {} ({}), {} old, figures {} old\n", sample.process,
                     report::visible(sample.program),
                     report::format_value(sample.facts.seconds, "s"),
                     report::format_value(age_seconds(sample), "s"));
}

double seconds_between(const Sample& before, const Sample& now) {
  return std::chrono::duration<double>(now.taken - before.taken).count();
}

std::uint64_t given(const Sample& sample) {
  return figure(sample.values, Stat::kBlocksFlushed) + figure(sample.values, Stat::kLargeGiven);
}

std::uint64_t taken(const Sample& sample) {
  return given(sample) + figure(sample.values, Stat::kInUseBlocks);
}

double taken_a_second(const Sample& now, const Sample* before) {
  const auto blocks = static_cast<double>(taken(now));
  if (before == nullptr) return blocks / now.facts.seconds;
  const auto change = blocks - static_cast<double>(taken(*before));
  return change > 0 ? change / seconds_between(*before, now) : 0;
}

}  // namespace

Sample take_sample(pid_t process, bool is_followed) {
  Glance glance;
  look_in_time(
      1, kMostReportTime,
      [&](std::size_t) { return text_of(is_followed ? followed(process) : glance_at(process)); },
      [&](std::size_t, const std::optional<std::string>& seen) { glance = glance_of(seen); });
  if (glance.is_late)
    throw Failure(kFailed, fmt::format("process {} does not let itself be looked at", process));
  if (!glance.failure.empty()) throw Failure(kFailed, glance.failure);
  return {process,       glance.program, glance.library,
          glance.values, glance.facts,   std::chrono::steady_clock::now()};
}

std::string lines_of(const Sample& now, const Sample* before) {
  HeapFigures figures;
  figures.is_running = true;
  figures.cpu_seconds = now.facts.cpu_seconds;
  figures.resident_now = now.facts.resident_bytes;
  figures.resident_peak = now.facts.resident_peak_bytes;
  figures.page_faults = now.facts.page_faults;
  figures.asked_peak = figure(now.values, Stat::kMostInUseBytes);
  figures.held_peak = figure(now.values, Stat::kPeakHeldBytes);
  figures.threads = figure(now.values, Stat::kClients);
  figures.taken = taken(now);
  figures.given = given(now);
  figures.taken_a_second = taken_a_second(now, before);
  figures.counters = now.values;
  figures.last = now.values;
  if (!is_unused(now.values)) return heading(now) + below_heading(heap_lines(figures));
  HeapLines lines = kernel_lines(figures);
  lines.push_back({"heap",
                   "not used: nothing has asked MMT for a block; of a program that brings an "
                   "allocator, nothing ever does"});
  return heading(now) + below_heading(std::move(lines));
}

std::string table_of(const Sample& now, const Sample* before) {
  report::TextTable table({{"statistic", report::Align::kLeft},
                           {"value"},
                           {"per second"},
                           {"what it is", report::Align::kLeft}});
  for (std::size_t i = 0; i < now.values.size(); ++i) {
    const observe::StatField& field = observe::kStatFields[i];
    std::string rate;
    // It may have become another program since, whose library has fewer figures.
    if (before != nullptr && i < before->values.size() && std::string_view(field.unit) != "flag" &&
        now.values[i] != before->values[i]) {
      const double change =
          static_cast<double>(now.values[i]) - static_cast<double>(before->values[i]);
      rate = report::format_value(change / seconds_between(*before, now), field.unit);
    }
    table.add_row({field.name, report::format_value(static_cast<double>(now.values[i]), field.unit),
                   rate, field.help});
  }
  return heading(now) + table.render();
}

std::string json_of(const Sample& now, int indent) {
  nlohmann::ordered_json json{{"schema", 1},
                              {"pid", now.process},
                              {"program", now.program},
                              {"library", now.library},
                              {"age", age_seconds(now)}};
  auto& stats = json["stats"] = nlohmann::ordered_json::object();
  auto& units = json["units"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < now.values.size(); ++i) {
    stats[observe::kStatFields[i].name] = now.values[i];
    units[observe::kStatFields[i].name] = observe::kStatFields[i].unit;
  }
  return json_text(json, indent);
}

}  // namespace mmt::cli
