// Looking into every process of /proc.
#include "cli/stats/process_list.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/stats/glance.h"
#include "cli/stats/heap_lines.h"
#include "cli/stats/process_tree.h"
#include "command/first_line.h"
#include "command/in_time.h"
#include "command/json_text.h"
#include "interprocess/stats_page.h"
#include "report/text_table.h"
#include "report/units.h"
#include "report/visible.h"

namespace mmt::cli {

using command::json_text;
using command::look_in_time;
using command::name_of_process;

namespace {

using report::Align;

// The limit holds for each process.
constexpr std::chrono::milliseconds kMostGlanceTime{1000};

std::vector<pid_t> all_processes() {
  std::vector<pid_t> all;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process > 0) all.push_back(process);
  }
  std::sort(all.begin(), all.end());
  return all;
}

ListedProcess listed(pid_t process, Glance glance) {
  ListedProcess one;
  one.process = process;
  one.heap = std::move(glance.heap);
  one.library = std::move(glance.library);
  one.is_outdated = glance.is_outdated;
  one.facts = std::move(glance.facts);
  if (!glance.is_hidden) one.doubt = std::move(glance.failure);
  if (glance.is_late) {
    one.facts.program = name_of_process(process);
    one.doubt = fmt::format("process {} does not let itself be looked at", process);
  }
  if (glance.values.empty()) return one;
  one.asked_bytes = figure(glance.values, observe::Stat::kInUseBytes);
  one.most_bytes = figure(glance.values, observe::Stat::kMostInUseBytes);
  one.is_unused = is_unused(glance.values);
  return one;
}

std::string runs_on(const ListedProcess& one) {
  std::string text = one.heap.empty() ? "unknown" : one.heap;
  if (one.is_unused) text += ", unused";
  if (one.is_outdated) text += ", old library";
  return text;
}

std::string bytes_text(std::uint64_t amount) {
  return report::format_bytes(static_cast<double>(amount));
}

// A heap that was looked at before its first block shows the most that it can be.
std::string asked_for(const ListedProcess& one) {
  if (!one.asked_bytes) return "";
  if (*one.asked_bytes == 0 && one.most_bytes != 0) return "<= " + bytes_text(one.most_bytes);
  return bytes_text(*one.asked_bytes);
}

}  // namespace

ProcessList list_processes() {
  ProcessList list;
  const std::vector<pid_t> all = all_processes();
  look_in_time(
      all.size(), kMostGlanceTime,
      [&all](std::size_t item) { return text_of(glance_at_any(all[item])); },
      [&](std::size_t item, const std::optional<std::string>& seen) {
        Glance glance = glance_of(seen);
        if (glance.is_hidden) ++list.hidden;
        if (glance.is_late || !glance.heap.empty())
          list.processes.push_back(listed(all[item], std::move(glance)));
      });
  return list;
}

std::string text_of(const ProcessList& list) {
  report::TextTable table({{"pid"},
                           {"program", Align::kLeft},
                           {"asked for"},
                           {"resident"},
                           {"threads"},
                           {"runs on", Align::kLeft}});
  for (const ListedProcess& one : list.processes) {
    table.add_row({fmt::format("{}", one.process), one.facts.program, asked_for(one),
                   bytes_text(one.facts.resident_bytes), report::format_count(one.facts.threads),
                   runs_on(one)});
  }
  std::string text = list.processes.empty() ? "no process runs under MMT\n" : table.render();
  const auto any = [&list](const auto& is_so) {
    return std::any_of(list.processes.begin(), list.processes.end(), is_so);
  };
  if (any([](const ListedProcess& one) { return one.is_unused; })) {
    text += "unused: nothing has asked MMT for a block; the program may bring an allocator\n";
  }
  if (any([](const ListedProcess& one) { return one.is_outdated; })) {
    text += "old library: replaced or removed since; a restart of the program ends that\n";
  }
  for (const ListedProcess& one : list.processes) {
    if (!one.doubt.empty())
      text +=
          fmt::format("{} ({})\n", report::visible(one.doubt), report::visible(one.facts.program));
  }
  if (list.hidden != 0) {
    text += fmt::format("not looked into, for want of permission: {}{}\n",
                        report::counted(list.hidden, "process", "processes"),
                        ::geteuid() == 0 ? "" : "; use sudo");
  }
  return text;
}

std::string json_of(const ProcessList& list, int indent) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", 1}, {"processes", Json::array()}};
  for (const ListedProcess& one : list.processes) {
    json["processes"].push_back({{"pid", one.process},
                                 {"program", one.facts.program},
                                 {"heap", one.heap},
                                 {"library", one.library},
                                 {"asked_bytes", one.asked_bytes ? Json(*one.asked_bytes) : Json()},
                                 {"resident_bytes", one.facts.resident_bytes},
                                 {"threads", one.facts.threads},
                                 {"doubt", one.doubt.empty() ? Json() : Json(one.doubt)}});
  }
  return json_text(json, indent);
}

}  // namespace mmt::cli
