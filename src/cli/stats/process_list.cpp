// Looking into every process of /proc.
#include "cli/stats/process_list.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/program/process_maps.h"
#include "cli/stats/heap_lines.h"
#include "cli/stats/process_tree.h"
#include "cli/stats/stats_reader.h"
#include "observe/stats_page.h"
#include "report/text_table.h"
#include "report/units.h"

namespace mmt::cli {
namespace {

using report::Align;

// Empty: it has ended, or has not begun.
std::vector<std::uint64_t> figures_of(pid_t process) {
  try {
    return StatsReader(process).read();
  } catch (const Failure&) {
    return {};
  }
}

ListedProcess looked_into(pid_t process, HeapInProcess heap) {
  ListedProcess one{process, std::move(heap), process_facts(process), std::nullopt, 0, false};
  const auto values = one.heap.is_native ? figures_of(process) : std::vector<std::uint64_t>{};
  if (values.empty()) return one;
  one.asked_bytes = figure(values, observe::Stat::kInUseBytes);
  one.most_bytes = figure(values, observe::Stat::kMostInUseBytes);
  one.is_unused = is_unused(values);
  return one;
}

std::string runs_on(const ListedProcess& one) {
  std::string text = one.heap.name;
  if (one.is_unused) text += ", unused";
  if (one.heap.is_outdated()) text += ", old library";
  return text;
}

std::string bytes(std::uint64_t amount) {
  return report::format_bytes(static_cast<double>(amount));
}

// Of a heap that was looked at before its first block, the most that it can be.
std::string asked_for(const ListedProcess& one) {
  if (!one.asked_bytes) return "";
  if (*one.asked_bytes == 0 && one.most_bytes != 0) return "<= " + bytes(one.most_bytes);
  return bytes(*one.asked_bytes);
}

}  // namespace

ProcessList list_processes() {
  ProcessList list;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process <= 0) continue;
    const auto files = mapped_files(process);
    if (!files && (errno == EACCES || errno == EPERM)) ++list.hidden;
    if (!files) continue;
    auto heap = heap_in_process(process, *files);
    if (!heap) continue;
    list.processes.push_back(looked_into(process, std::move(*heap)));
  }
  std::sort(list.processes.begin(), list.processes.end(),
            [](const auto& one, const auto& other) { return one.process < other.process; });
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
                   bytes(one.facts.resident_bytes), report::format_count(one.facts.threads),
                   runs_on(one)});
  }
  std::string text = list.processes.empty() ? "no process runs under MMT\n" : table.render();
  const auto any = [&list](const auto& is_so) {
    return std::any_of(list.processes.begin(), list.processes.end(), is_so);
  };
  if (any([](const ListedProcess& one) { return one.is_unused; })) {
    text += "unused: nothing has asked MMT for a block; the program may bring an allocator\n";
  }
  if (any([](const ListedProcess& one) { return one.heap.is_outdated(); })) {
    text += "old library: replaced or removed since; a restart of the program ends that\n";
  }
  if (list.hidden != 0) {
    text += fmt::format("not looked into, for want of permission: {}{}\n",
                        counted(list.hidden, "process", "processes"),
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
                                 {"heap", one.heap.name},
                                 {"library", one.heap.library},
                                 {"asked_bytes", one.asked_bytes ? Json(*one.asked_bytes) : Json()},
                                 {"resident_bytes", one.facts.resident_bytes},
                                 {"threads", one.facts.threads}});
  }
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mmt::cli
