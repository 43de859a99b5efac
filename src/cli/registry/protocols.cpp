#include "cli/registry/protocols.h"

#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "agnostic/options.h"
#include "cli/failure.h"
#include "cli/installation.h"
#include "cli/registry/built.h"

namespace mmt::cli {
namespace {

const Built* find(std::string_view name) {
  for (const Built& one : built_protocols()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

std::span<const agnostic::OptionInfo> all_options() {
  uint32_t count = 0;
  const agnostic::OptionInfo* table = agnostic::option_table(&count);
  return {table, count};
}

// An option is one protocol's, or of a group that the protocol takes, or everyone's.
bool has_option(const std::string& protocol, const agnostic::OptionInfo& option) {
  const std::string_view owner = option.owner;
  const Built* const built = find(protocol);
  return owner.empty() || owner == protocol ||
         (built != nullptr &&
          built->takes.find(fmt::format(" {} ", owner)) != std::string_view::npos);
}

std::vector<agnostic::OptionInfo> options_of(const std::string& protocol) {
  std::vector<agnostic::OptionInfo> there;
  for (const agnostic::OptionInfo& one : all_options()) {
    if (has_option(protocol, one)) there.push_back(one);
  }
  return there;
}

// One "OPTION=VALUE"; its name.
std::string_view check_option(const std::string& protocol, std::string_view text, int status) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Failure(status, fmt::format("protocol '{}': '{}' is no OPTION=VALUE", protocol, text));
  }
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(equals + 1);
  for (const agnostic::OptionInfo& one : all_options()) {
    if (name != one.name) continue;
    if (!has_option(protocol, one)) break;
    agnostic::Options ignored;
    if (agnostic::set_option(one, value.data(), static_cast<uint32_t>(value.size()), &ignored)) {
      return name;
    }
    const std::string range =
        one.choices != nullptr ? std::string("one of ") + one.choices
                               : fmt::format("a whole number from {} to {}", one.least, one.most);
    throw Failure(status, fmt::format("protocol '{}': option '{}' is {}, not '{}'", protocol, name,
                                      range, value));
  }
  const auto there = options_of(protocol);
  const std::string meant = did_you_mean(name, names_in(there));
  throw Failure(status, fmt::format("protocol '{}' has no option '{}'{}", protocol, name,
                                    meant.empty() ? "; there are " + names_of(there) : meant));
}

// Those that take the option; or those that do not, where they are fewer.
std::string protocols_with(const agnostic::OptionInfo& option) {
  std::vector<std::string> with, without;
  for (const Named& one : known_protocols()) {
    (has_option(one.name, option) ? with : without).push_back(one.name);
  }
  if (without.empty()) return "all";
  if (without.size() < with.size()) return fmt::format("all but {}", fmt::join(without, ", "));
  return fmt::format("{}", fmt::join(with, ", "));
}

ProtocolOption in_words(const agnostic::OptionInfo& option) {
  ProtocolOption words{option.name, protocols_with(option), "", "", option.help};
  if (option.choices != nullptr) {
    words.values = option.choices;
    words.def = words.values.substr(0, words.values.find('|'));
  } else {
    words.values = fmt::format("{}..{}", option.least, option.most);
    words.def = fmt::format("{}", agnostic::Options{}.*option.number);
  }
  return words;
}

}  // namespace

std::vector<ProtocolOption> protocol_options() {
  std::vector<ProtocolOption> all;
  for (const agnostic::OptionInfo& one : all_options()) all.push_back(in_words(one));
  return all;
}

std::vector<Named> known_protocols() {
  std::vector<Named> all;
  for (const Built& one : built_protocols()) {
    if (one.shown) all.push_back(one);
  }
  return all;
}

bool is_protocol(std::string_view name) { return find(name) != nullptr; }

Protocol parse_protocol(std::string_view text, int status) {
  const std::size_t colon = text.find(':');
  Protocol protocol{std::string(text.substr(0, colon)), ""};
  protocol_library_path(protocol.name, status);
  if (colon == std::string_view::npos) return protocol;
  protocol.options = text.substr(colon + 1);
  std::set<std::string_view> given;
  for (std::string_view rest = protocol.options;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = check_option(protocol.name, rest.substr(0, comma), status);
    if (!given.insert(name).second) {
      throw Failure(status,
                    fmt::format("protocol '{}': option '{}' is given twice", protocol.name, name));
    }
    if (comma == std::string_view::npos) return protocol;
    rest.remove_prefix(comma + 1);
  }
}

std::string protocol_library_path(const std::string& name, int status) {
  if (is_protocol(name)) {
    return library_beside(fmt::format("libmmt-protocol-{}.so", name), status);
  }
  throw Failure(status, no_such("protocol", name, known_protocols()));
}

}  // namespace mmt::cli
