// Loading of suite files.
#include "cli/measure/bench_suite.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/failure.h"
#include "cli/input_file.h"
#include "cli/installation.h"
#include "cli/machine/cpu_list.h"

namespace mmt::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string expanded(std::string text, std::string_view placeholder, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;) {
    text.replace(at, placeholder.size(), value);
    at += value.size();
  }
  return text;
}

// Replaces what is known when the suite is read; "{tmp}" is left for the run.
class Placeholders {
 public:
  explicit Placeholders(const std::string& suite_path)
      : workloads_(workloads_folder()), suite_(fs::absolute(suite_path).parent_path().string()) {}

  std::string operator()(std::string text) const {
    return expanded(expanded(std::move(text), "{workloads}", workloads_), "{suite}", suite_);
  }

 private:
  std::string workloads_;
  std::string suite_;
};

SuiteProgram parse_program(const Json& json, const Placeholders& expand) {
  SuiteProgram program;
  program.name = json.at("name").get<std::string>();
  for (const auto& [key, value] : json.items()) {
    if (key == "name" || key == "comment") continue;
    if (key == "command") {
      for (const Json& one : value) program.command.push_back(expand(one.get<std::string>()));
    } else if (key == "runs") {
      program.runs = value.get<int>();
    } else if (key == "pin") {
      program.pin = value.get<std::string>();
    } else if (key == "metrics") {
      program.metrics = value.get<std::vector<std::string>>();
    } else if (key == "env") {
      for (const auto& [name, text] : value.items()) {
        program.environment.emplace_back(name, expand(text.get<std::string>()));
      }
    } else if (key == "input") {
      program.input = expand(value.get<std::string>());
    } else if (key == "package") {
      program.package = value.get<std::string>();
    } else if (key == "same_output") {
      program.same_output = value.get<bool>();
    } else {
      throw std::runtime_error(fmt::format("program '{}': unknown key '{}'", program.name, key));
    }
  }
  if (program.command.empty()) {
    throw std::runtime_error(fmt::format("program '{}' has no command", program.name));
  }
  if (program.runs < 1) {
    throw std::runtime_error(fmt::format("program '{}': runs is below 1", program.name));
  }
  if (!parse_cpu_list(program.pin)) {
    throw std::runtime_error(
        fmt::format("program '{}': '{}' is no list of CPUs", program.name, program.pin));
  }
  return program;
}

}  // namespace

std::vector<SuiteProgram> parse_suite(const std::string& text, const std::string& path) {
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != 1) throw std::runtime_error("its schema is not 1");
    const Placeholders expand(path);
    std::vector<SuiteProgram> programs;
    for (const Json& one : json.at("programs")) {
      programs.push_back(parse_program(one, expand));
      programs.back().suite = json.at("name").get<std::string>();
    }
    return programs;
  } catch (const Json::parse_error& error) {
    const auto before =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
    throw Failure(kFailed, fmt::format("the suite '{}' is no JSON: something is wrong in line {}",
                                       path, 1 + std::count(text.begin(), before, '\n')));
  } catch (const std::exception& error) {
    throw Failure(kFailed, fmt::format("the suite '{}' cannot be used: {}", path, error.what()));
  }
}

std::vector<SuiteProgram> load_suite(const std::string& path) {
  return parse_suite(text_of_file(path, "the suite", kFailed), path);
}

std::vector<std::string> suite_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(suites_folder(), error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string find_suite(const std::string& name) {
  const std::vector<std::string> names = suite_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return (fs::path(suites_folder()) / (name + ".json")).string();
  }
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  throw Failure(kUsage, fmt::format("there is no suite '{}' in {}; there {}", name, suites_folder(),
                                    known.empty() ? "are none" : "are " + known));
}

}  // namespace mmt::cli
