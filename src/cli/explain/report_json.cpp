#include "cli/explain/report_json.h"

#include <stdexcept>

#include <fmt/format.h>

#include "cli/explain/numbers.h"
#include "command/json_input.h"

namespace mmt::cli {

using command::json_of;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kStackSuffix = "_stack";
constexpr const char* kPlaceKeys[] = {"found", "allocated", "freed"};

const char* key_of(Role role) { return kPlaceKeys[static_cast<std::size_t>(role)]; }

// What is wrong with a value; the caller knows the line.
[[noreturn]] void refuse(const std::string& what) { throw std::invalid_argument(what); }

std::optional<std::uint64_t> number_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return std::nullopt;
  if (!found->is_number_unsigned()) refuse(fmt::format("'{}' is no number", key));
  return found->get<std::uint64_t>();
}

std::string text_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return "";
  if (!found->is_string()) refuse(fmt::format("'{}' is no text", key));
  return found->get<std::string>();
}

std::optional<std::uint64_t> address_in(const Json& json, const char* key) {
  if (!json.contains(key)) return std::nullopt;
  const std::string text = text_in(json, key);
  std::string_view rest = text;
  const auto address = take_hex(rest);
  if (!address || !rest.empty()) refuse(fmt::format("'{}' is no address", key));
  return address;
}

CodePlace place_of(const Json& json, const std::string& key) {
  if (!json.is_object()) refuse(fmt::format("'{}' is no place", key));
  const auto address = address_in(json, "address");
  if (!address) refuse(fmt::format("'{}' has no address", key));
  return CodePlace{*address, text_in(json, "module"), address_in(json, "offset").value_or(0), {}};
}

// All frames, where they are there, else the place alone.
std::vector<CodePlace> stack_in(const Json& json, const char* key) {
  const std::string stack_key = std::string(key) + kStackSuffix;
  std::vector<CodePlace> stack;
  if (const auto frames = json.find(stack_key); frames != json.end()) {
    if (!frames->is_array()) refuse(fmt::format("'{}' is no list", stack_key));
    for (const Json& one : *frames) stack.push_back(place_of(one, stack_key));
  } else if (const auto found = json.find(key); found != json.end()) {
    stack.push_back(place_of(*found, key));
  }
  return stack;
}

HeapReport report_of(const Json& json) {
  if (!json.is_object() || !json.contains("schema")) refuse("it is no report of the heap");
  if (json["schema"] != 1) refuse("it is of another schema than 1");
  const std::string name = text_in(json, "kind");
  const auto kind = index_of_kind(name);
  if (!kind) refuse(fmt::format("there is no kind '{}'", name));
  HeapReport report{*kind, text_in(json, "text")};
  report.process = number_in(json, "pid");
  report.thread = number_in(json, "thread");
  report.block = address_in(json, "block");
  report.bytes = number_in(json, "bytes");
  report.at = address_in(json, "at");
  report.told = number_in(json, "told");
  report.allocated_as = text_in(json, "allocated_as");
  report.freed_as = text_in(json, "freed_as");
  report.allocated_ms_ago = number_in(json, "allocated_ms_ago");
  report.freed_ms_ago = number_in(json, "freed_ms_ago");
  report.late_ms = number_in(json, "late_ms");
  for (const Role role : kRoles) report.stack(role) = stack_in(json, key_of(role));
  report.is_found_by_look = !report.place(Role::kFound);
  return report;
}

std::string hex(std::uint64_t number) { return fmt::format("{:#x}", number); }

Json json_of(const CodePlace& place) {
  Json json{
      {"address", hex(place.address)}, {"module", place.module}, {"offset", hex(place.offset)}};
  if (!place.names.function.empty()) json["function"] = place.names.function;
  if (!place.names.file.empty()) {
    json["file"] = place.names.file;
    json["line"] = place.names.line;
  }
  return json;
}

}  // namespace

bool begins_as_json(std::string_view line) { return line.starts_with("{\"schema\":"); }

HeapReport report_of_json(const std::string& line, const std::string& path, std::size_t number) {
  const Json json = json_of(line, path, number);
  try {
    return report_of(json);
  } catch (const std::invalid_argument& wrong) {
    throw std::runtime_error(fmt::format("'{}', line {}: {}", path, number, wrong.what()));
  }
}

Json json_of(const HeapReport& report) {
  Json json{{"kind", report.kind_name()}};
  const auto add = [&json](const char* key, const auto& value, const auto& as) {
    if (value) json[key] = as(*value);
  };
  const auto plain = [](std::uint64_t number) { return number; };
  add("pid", report.process, plain);
  add("thread", report.thread, plain);
  add("block", report.block, hex);
  add("bytes", report.bytes, plain);
  add("at", report.at, hex);
  json["text"] = report.text;
  add("told", report.told, plain);
  if (!report.allocated_as.empty()) {
    json["allocated_as"] = report.allocated_as;
    json["freed_as"] = report.freed_as;
  }
  add("allocated_ms_ago", report.allocated_ms_ago, plain);
  add("freed_ms_ago", report.freed_ms_ago, plain);
  add("late_ms", report.late_ms, plain);
  for (const Role role : kRoles) {
    const std::vector<CodePlace>& stack = report.stack(role);
    if (stack.empty()) continue;
    json[key_of(role)] = json_of(stack.front());
    if (stack.size() == 1) continue;
    Json& frames = json[key_of(role) + std::string(kStackSuffix)] = Json::array();
    for (const CodePlace& one : stack) frames.push_back(json_of(one));
  }
  return json;
}

}  // namespace mmt::cli
