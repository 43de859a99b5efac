// `mmt measure`: runs one program and tells what it took. It is not shown in the help. The
// laboratory (lab/) starts it for each run, because a process of Python's size would hand its own
// peak RSS down to what it executes. One JSON object on stdin says what to run, one on stdout how
// it went; docs/laboratory.md has both. It ends with its caller.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command_line/byte_text.h"
#include "cli/command_line/verb.h"
#include "cli/measure/bench_child.h"
#include "cli/measure/call_times.h"
#include "command/failure.h"
#include "command/json_text.h"
#include "command/message.h"
#include "programs/elf.h"
#include "programs/program.h"

namespace mmt::cli {

using command::Failure;
using command::json_text;
using command::kFailed;
using command::kUsage;
using command::show;
using programs::brings_allocator;
using programs::Command;
using programs::ElfFile;
using programs::find_obstacle_in_libraries;
using programs::find_program;
using programs::MappedFile;

namespace {

using Json = nlohmann::ordered_json;

constexpr int kOrderSchema = 1;

std::string bytes_at(const Json& order, const char* name, const std::string& otherwise) {
  return order.contains(name) ? bytes_of_text(order[name].get<std::string>()) : otherwise;
}

// A file's path, or the number of a descriptor that the caller has handed down.
void set_stream(const Json& given, std::string& path, int& descriptor) {
  if (!given.is_number_integer()) {
    path = bytes_of_text(given.get<std::string>());
    return;
  }
  descriptor = given.get<int>();
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);  // the program has it under another number
}

ChildSpec spec_from(const Json& order) {
  if (order.at("schema").get<int>() != kOrderSchema)
    throw Failure(kUsage, "measure: unknown schema");
  ChildSpec spec;
  for (const auto& word : order.at("command").get<std::vector<std::string>>()) {
    spec.arguments.push_back(bytes_of_text(word));
  }
  if (spec.arguments.empty()) throw Failure(kUsage, "measure: the command is empty");
  for (const auto& [name, value] : order.at("environment").items()) {
    spec.environment.push_back(bytes_of_text(fmt::format("{}={}", name, value.get<std::string>())));
  }
  set_stream(order.at("output"), spec.output, spec.output_descriptor);
  set_stream(order.at("errors"), spec.errors, spec.errors_descriptor);
  spec.input = bytes_at(order, "input", spec.input);
  spec.cpus = order.value("cpus", spec.cpus);
  spec.time_limit = order.at("time_limit").get<double>();
  spec.observe_files = order.at("observe").get<bool>();
  spec.path = find_program(spec.arguments.front());
  spec.is_text = !ElfFile::open(spec.path);
  return spec;
}

// The files mapped into it, each once, and those of them that could serve its malloc.
void add_files(const ChildResult& result, Json& answer) {
  answer["files"] = Json::array();
  answer["malloc_files"] = Json::array();
  std::set<std::string> seen;
  for (const MappedFile& one : result.files) {
    if (!seen.insert(one.path).second) continue;
    answer["files"].push_back(one.path);
    const auto file = ElfFile::open(one.path);
    if (file && file->defines("malloc")) answer["malloc_files"].push_back(one.path);
  }
}

Json answer_for(const ChildSpec& spec, const ChildResult& result) {
  const bool killed = WIFSIGNALED(result.status);
  Json answer{{"schema", kOrderSchema},
              {"path", spec.path},
              {"status", killed ? 0 : WEXITSTATUS(result.status)},
              {"signal", killed ? WTERMSIG(result.status) : 0},
              {"timed_out", result.timed_out},
              {"wall", result.wall},
              {"cpu", result.cpu},
              {"system", result.system},
              {"peak_rss", result.peak_rss},
              {"rss_floor", rss_floor()},
              {"minor_faults", result.minor_faults},
              {"major_faults", result.major_faults},
              {"own_malloc", brings_allocator(spec.path)}};
  if (spec.observe_files) add_files(result, answer);
  return answer;
}

// What libmmt-latency.so counted, which the order's LD_PRELOAD names; none where it was not loaded.
void add_calls(const CallTimes& calls, Json& answer) {
  if (calls.processes() == 0) return;
  Json values = Json::object();
  for (const ReportedValue& one : calls.values()) {
    values[one.key] = {{"value", one.value}, {"unit", one.unit}};
  }
  answer["calls"] = {{"processes", calls.processes()},
                     {"threads", calls.threads()},
                     {"empty_call_ns", empty_call_ns()},
                     {"values", values}};
}

// What can be told of a program without running it. A sanitizer brings a malloc, too.
Json look_at(const ChildSpec& spec) {
  const bool own_malloc = brings_allocator(spec.path) || find_obstacle_in_libraries(spec.path);
  return {{"schema", kOrderSchema},
          {"path", spec.path},
          {"rss_floor", rss_floor()},
          {"own_malloc", own_malloc}};
}

void print(const Json& answer) {
  // What a library calls its files is any bytes.
  show(json_text(answer));
}

// What the JSON library says begins with its own name and number, in brackets.
std::string fault_of_order(const nlohmann::json::exception& error) {
  constexpr const char* kRead =
      R"(read is one order from standard input, {"schema":1, "command":[...], ...}: )"
      "docs/laboratory.md has it";
  if (dynamic_cast<const nlohmann::json::parse_error*>(&error) != nullptr) {
    return fmt::format("measure: there is no JSON on standard input; {}", kRead);
  }
  const std::string_view told = error.what();
  return fmt::format("measure: {}; {}", told.substr(told.find("] ") + 2), kRead);
}

int measure() {
  const pid_t caller = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != caller) return kFailed;  // the caller ended before the line above
  const InterruptGuard guard;
  ChildSpec spec;
  std::string calls_path;
  bool is_look = false;
  try {
    const Json order = Json::parse(std::cin);
    spec = spec_from(order);
    calls_path = bytes_at(order, "calls", "");
    is_look = order.value("look_only", false);
  } catch (const nlohmann::json::exception& error) {
    throw Failure(kUsage, fault_of_order(error));
  }
  if (is_look) {
    print(look_at(spec));
    return 0;
  }
  std::optional<CallTimes> calls;
  if (!calls_path.empty()) {
    calls.emplace(calls_path);
    spec.environment.push_back(latency::kPageVariable + ("=" + calls_path));
  }
  Json answer = answer_for(spec, run_child(spec));
  if (calls) add_calls(*calls, answer);
  print(answer);
  return 0;
}

}  // namespace

Verb add_measure(CLI::App& root) {
  CLI::App* app = root.add_subcommand("measure", "");
  app->group("");
  return {app, [](const Command&) { return measure(); }};
}

}  // namespace mmt::cli
