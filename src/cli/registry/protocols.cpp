#include "cli/registry/protocols.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "cli/registry/built.h"
#include "cli/registry/options.h"
#include "command/failure.h"
#include "interprocess/protocol_options.h"
#include "programs/installation.h"

namespace mmt::cli {

using command::did_you_mean;
using command::Failure;
using programs::library_beside;

namespace {

const Built* find(std::string_view name) {
  for (const Built& one : built_protocols()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// An option is one protocol's, or of a group that the protocol takes, or everyone's.
bool has_option(const std::string& protocol, const OptionInfo& option) {
  const std::string_view owner = option.owner;
  const Built* const built = find(protocol);
  return owner.empty() || owner == protocol ||
         (built != nullptr &&
          built->takes.find(fmt::format(" {} ", owner)) != std::string_view::npos);
}

std::vector<OptionInfo> options_of(const std::string& protocol) {
  std::vector<OptionInfo> there;
  for (const OptionInfo& one : protocol_options()) {
    if (has_option(protocol, one)) there.push_back(one);
  }
  return there;
}

// Both spellings: '-' is as good as '_'.
bool is_spelling_of(std::string_view name, std::string_view declared) {
  return std::equal(name.begin(), name.end(), declared.begin(), declared.end(),
                    [](char one, char other) { return (one == '-' ? '_' : one) == other; });
}

// One "OPTION=VALUE"; its name.
std::string check_option(const std::string& protocol, std::string_view text, int status) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    throw Failure(status, fmt::format("protocol '{}': '{}' is no OPTION=VALUE", protocol, text));
  }
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = text.substr(equals + 1);
  for (const OptionInfo& one : protocol_options()) {
    if (!is_spelling_of(name, one.name)) continue;
    if (!has_option(protocol, one)) break;
    options::Value ignored{};
    const options::Row* row = options::find(backend::option_table(), {name.data(), name.size()});
    if (options::parse(*row, {value.data(), value.size()}, &ignored) == nullptr) return one.name;
    const std::string range =
        row->kind == options::Kind::kChoice
            ? "one of " + one.values
            : "a whole number from " +
                  std::string(one.values).replace(one.values.find(".."), 2, " to ");
    throw Failure(status,
                  fmt::format("protocol '{}': option '{}' is {}, not '{}'{}", protocol, name, range,
                              value, did_you_mean(value, words_of(one.values))));
  }
  const auto there = options_of(protocol);
  const std::string meant = did_you_mean(name, names_in(there));
  throw Failure(status, fmt::format("protocol '{}' has no option '{}'{}", protocol, name,
                                    meant.empty() ? "; there are " + names_of(there) : meant));
}

}  // namespace

std::string protocols_with(const OptionInfo& option) {
  std::vector<std::string> with;
  std::vector<std::string> without;
  for (const Named& one : known_protocols()) {
    (has_option(one.name, option) ? with : without).push_back(one.name);
  }
  if (without.empty()) return "all";
  if (without.size() < with.size()) return fmt::format("all but {}", fmt::join(without, ", "));
  return fmt::format("{}", fmt::join(with, ", "));
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
  std::set<std::string> given;
  for (std::string_view rest = protocol.options;;) {
    const std::size_t comma = rest.find(',');
    const std::string name = check_option(protocol.name, rest.substr(0, comma), status);
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
