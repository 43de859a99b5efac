#include "cli/registry/options.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "interprocess/heap_options.h"
#include "interprocess/option_table.h"
#include "interprocess/protocol_options.h"

namespace mmt::cli {
namespace {

using options::Kind;

// "4M"
std::string bytes(std::int64_t number) {
  const std::string_view units = " KMGT";
  std::size_t unit = 0;
  while (number != 0 && number % 1024 == 0 && unit + 1 < units.size()) {
    number /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{}", number) : fmt::format("{}{}", number, units[unit]);
}

// Which of "auto|on|off"
std::string choice(std::string_view values, std::int64_t index) {
  for (; index > 0; --index) values.remove_prefix(values.find('|') + 1);
  return std::string(values.substr(0, values.find('|')));
}

std::string text_of(const options::Row& row, const options::Value& value) {
  switch (row.kind) {
    case Kind::kSwitch:
      return value.number != 0 ? "on" : "off";
    case Kind::kChoice:
      return choice(row.values, value.number);
    case Kind::kBytes:
      return bytes(value.number);
    case Kind::kPath:
      return value.text != nullptr ? value.text : "";
    default:
      return fmt::format("{}", value.number);
  }
}

template <class Options>
std::vector<OptionInfo> described(options::Table table) {
  const Options defaults;
  std::vector<OptionInfo> all;
  for (const options::Row& row : table) {
    all.push_back({row.name, row.owner, options::kind_name(row.kind), row.values,
                   row.def != nullptr ? row.def : text_of(row, row.field.load(&defaults)),
                   row.help});
  }
  return all;
}

}  // namespace

std::vector<std::string> words_of(std::string_view values) {
  std::vector<std::string> words;
  while (!values.empty()) {
    const std::size_t end = std::min(values.find('|'), values.size());
    words.emplace_back(values.substr(0, end));
    values.remove_prefix(std::min(end + 1, values.size()));
  }
  return words;
}

const std::vector<OptionInfo>& library_options() {
  static const auto all = described<heap::Options>(heap::option_table());
  return all;
}

const OptionInfo* find_library_option(std::string_view name) {
  std::string declared(name);
  std::replace(declared.begin(), declared.end(), '-', '_');
  for (const OptionInfo& one : library_options()) {
    if (one.name == declared) return &one;
  }
  return nullptr;
}

const std::vector<OptionInfo>& protocol_options() {
  static const auto all = described<backend::Options>(backend::option_table());
  return all;
}

}  // namespace mmt::cli
