// The report of `mmt run --stats`.
#include "cli/stats/run_report.h"

#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/stats/heap_lines.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "interprocess/stats_page.h"
#include "report/units.h"
#include "report/visible.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kRunFailed;
using command::tell_lines;
using programs::Ending;

namespace {

using Json = nlohmann::ordered_json;
using observe::kStatFields;
using observe::Stat;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double cpu_seconds(const Ending& ending) {
  return seconds_of(ending.usage.ru_utime) + seconds_of(ending.usage.ru_stime);
}

std::string outcome(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with status {}", WEXITSTATUS(status));
  const char* name = ::sigabbrev_np(WTERMSIG(status));
  return name != nullptr ? fmt::format("was ended by SIG{}", name)
                         : fmt::format("was ended by signal {}", WTERMSIG(status));
}

// As the library does it (observe/exit_report.h).
std::string file_name(const std::string& pattern, pid_t process, const std::string& program) {
  std::string name;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (next == 'p') name += fmt::format("{}", process);
    if (next == 'e') name += program;
    if (next == '%') name += '%';
    if (next == 'p' || next == 'e' || next == '%') {
      ++i;
    } else {
      name += pattern[i];
    }
  }
  return name;
}

HeapFigures figures_of(const ProcessTree& tree, const Ending& ending) {
  HeapFigures figures;
  figures.cpu_seconds = cpu_seconds(ending);
  figures.resident_peak = static_cast<std::uint64_t>(ending.usage.ru_maxrss) * 1024;
  figures.page_faults = static_cast<std::uint64_t>(ending.usage.ru_minflt + ending.usage.ru_majflt);
  figures.asked_peak = tree.most_at_a_time(Stat::kMostInUseBytes);
  figures.held_peak = tree.most_at_a_time(Stat::kPeakHeldBytes);
  figures.asked_inherited = tree.inherited_then(Stat::kMostInUseBytes);
  figures.held_inherited = tree.inherited_then(Stat::kPeakHeldBytes);
  figures.taken = tree.taken();
  figures.given = tree.given();
  figures.taken_a_second = static_cast<double>(tree.taken()) / ending.seconds;
  figures.threads = tree.most_threads();
  figures.all_exited = tree.exits() == tree.images();
  figures.processes = tree.processes();
  figures.served = tree.served();
  figures.counters = tree.counters();
  if (const ProcessPage* last = tree.last_of(ending.process)) {
    figures.last = last->values;
    figures.has_exited = last->has_exited;
  }
  return figures;
}

// The largest of the programs, by what they asked for: as many as one line has room for.
std::string largest(const ProcessTree& tree) {
  std::vector<std::pair<std::string, SameName>> names(tree.names().begin(), tree.names().end());
  std::stable_sort(names.begin(), names.end(), [](const auto& one, const auto& other) {
    return one.second.peak > other.second.peak;
  });
  std::string text;
  std::size_t told = 0;
  for (const auto& [name, same] : names) {
    std::string next = fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                                   report::format_bytes(static_cast<double>(same.peak)));
    if (same.count > 1) next += fmt::format(" ({} times)", report::format_count(same.count));
    const std::string more =
        told + 1 == names.size() ? "" : fmt::format(", and {} more", names.size() - told - 1);
    if (told != 0 && text.size() + next.size() + more.size() > kTextWidth) break;
    text += next;
    ++told;
  }
  return told == names.size() ? text : text + fmt::format(", and {} more", names.size() - told);
}

std::string processes(const ProcessTree& tree) {
  const std::size_t replaced = tree.images() - tree.processes();
  std::string text = report::format_count(tree.processes());
  if (tree.forks() != 0)
    text += fmt::format(", {} of them by fork", report::format_count(tree.forks()));
  if (replaced != 0) text += fmt::format("; {}", report::counted(replaced, "exec", "execs"));
  return text;
}

std::string all_figures(const ProcessPage& page) {
  std::string text =
      fmt::format("mmt: statistics of process {} ({}){}\n", page.process,
                  report::visible(page.program), page.has_exited ? "" : ", which did not exit");
  for (std::size_t i = 0; i < page.values.size(); ++i) {
    const observe::StatField& field = kStatFields[i];
    text +=
        fmt::format("  {:20}{:20} {:6} {}\n", field.name, page.values[i], field.unit, field.help);
  }
  return text;
}

Json object_of(const std::vector<std::uint64_t>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) object[kStatFields[i].name] = values[i];
  return object;
}

Json totals_of(const ProcessTree& tree, const Ending& ending) {
  Json totals{{"processes", tree.processes()},
              {"execs", tree.images() - tree.processes()},
              {"forks", tree.forks()},
              {"seconds", ending.seconds},
              {"cpu_seconds", cpu_seconds(ending)},
              {"resident_peak_bytes", static_cast<std::uint64_t>(ending.usage.ru_maxrss) * 1024},
              {"page_faults", ending.usage.ru_minflt + ending.usage.ru_majflt},
              {"blocks_taken", tree.taken()},
              {"blocks_given", tree.given()}};
  Json& stats = totals["stats"] = Json::object();
  for (std::size_t i = 0; i < tree.counters().size(); ++i) {
    if (is_counter(static_cast<Stat>(i))) stats[kStatFields[i].name] = tree.counters()[i];
  }
  for (const Stat peak : {Stat::kMostInUseBytes, Stat::kPeakHeldBytes}) {
    stats[kStatFields[static_cast<std::size_t>(peak)].name] = tree.most_at_a_time(peak);
  }
  return totals;
}

}  // namespace

RunReport::RunReport(std::string target, const RunSubject& subject)
    : target_(std::move(target)),
      program_(subject.program.substr(subject.program.rfind('/') + 1)),
      library_(subject.library),
      silence_(subject.silence),
      is_full_(target_ == "full"),
      is_json_(target_.ends_with(".json")) {
  const bool is_file = target_ != "-" && target_ != "stderr" && !is_full_;
  // One that has the process id in its name can only be opened later.
  if (is_file && target_.find("%p") == std::string::npos) open(file_name(target_, 0, program_));
}

void RunReport::open(const std::string& path) {
  file_.emplace();
  if (const auto problem = file_->open(path)) throw Failure(kRunFailed, *problem);
}

std::string RunReport::text_of(const ProcessTree& tree, const Ending& ending) const {
  std::string text;
  if (is_full_) {
    for (const ProcessPage& page : tree.all()) text += all_figures(page);
  }
  text += fmt::format("mmt: {} ran {} and {}\n", report::visible(program_),
                      report::format_value(ending.seconds, "s"), outcome(ending.status));
  const HeapFigures figures = figures_of(tree, ending);
  // The peak is right also where no block was counted.
  const bool is_silent = tree.taken() == 0 && figures.asked_peak == 0;
  HeapLines lines = is_silent ? kernel_lines(figures) : heap_lines(figures);
  if (is_silent) {
    lines.push_back({"heap", fmt::format("no figures: {}", why_silent(tree))});
  } else if (tree.images() > 1) {
    lines.push_back({"processes", processes(tree)});
    lines.push_back({"largest", largest(tree)});
  }
  return text + below_heading(std::move(lines));
}

std::string RunReport::why_silent(const ProcessTree& tree) const {
  if (!silence_.empty()) return silence_;
  return tree.processes() == 0 ? "MMT was in none of its processes"
                               : "MMT serves nothing there: nothing asked it for a block";
}

std::string RunReport::json_of(const ProcessTree& tree, const Ending& ending) const {
  const ProcessPage* last = tree.last_of(ending.process);
  Json json{{"schema", 1},
            {"pid", ending.process},
            {"program", last != nullptr ? last->program : program_},
            {"library", library_}};
  json["stats"] = object_of(last != nullptr ? last->values : std::vector<std::uint64_t>{});
  Json& units = json["units"] = Json::object();
  for (const observe::StatField& field : kStatFields) units[field.name] = field.unit;
  json[WIFEXITED(ending.status) ? "status" : "signal"] =
      WIFEXITED(ending.status) ? WEXITSTATUS(ending.status) : WTERMSIG(ending.status);
  json["totals"] = totals_of(tree, ending);
  Json& processes = json["processes"] = Json::array();
  for (const ProcessPage& page : tree.all()) {
    processes.push_back({{"pid", page.process},
                         {"program", page.program},
                         {"forked", page.is_forked},
                         {"exited", page.has_exited},
                         {"stats", object_of(page.values)}});
  }
  return json_text(json, 2);
}

void RunReport::write(const ProcessTree& tree, const Ending& ending) {
  const std::string text = is_json_ ? json_of(tree, ending) : text_of(tree, ending);
  if (target_ == "-" || target_ == "stderr" || is_full_) {
    tell_lines(text);
    return;
  }
  if (!file_) open(file_name(target_, ending.process, program_));
  if (const auto problem = file_->write(text)) throw Failure(kRunFailed, *problem);
}

}  // namespace mmt::cli
