#include "cli/registry/protocols.h"

#include <set>
#include <vector>

#include <fmt/format.h>

#include "agnostic/options.h"
#include "cli/failure.h"
#include "cli/installation.h"

namespace mmt::cli {
namespace {

const Named kProtocols[] = {
    {"mmt",
     "ours: malloc and free stay the library's, a thread beside it makes memory resident ahead"},
    {"sync", "design 1: malloc and free both wait for the memory thread"},
    {"async-free", "design 2: malloc waits, freed blocks are handed over in bulk"},
    {"main-alloc-pthread", "design 3: only free is offloaded, by pthread's locks and semaphores"},
    {"main-alloc-minimalist", "design 4: the same by minimal locks"},
    {"main-alloc-bulk", "design 5: the same in bulk"},
    {"preallocate", "the paper's: buckets of each size are prepared ahead, frees in bulk"},
    {"recycle-shared", "the same, and the last freed blocks serve first"},
    {"recycle-sized", "the same, by queues of one size each"},
};

std::span<const agnostic::OptionInfo> all_options() {
  uint32_t count = 0;
  const agnostic::OptionInfo* table = agnostic::option_table(&count);
  return {table, count};
}

bool has_option(const std::string& protocol, const agnostic::OptionInfo& option) {
  const std::string_view protocols = option.protocols;
  return protocols.find(fmt::format(" {} ", protocol)) != std::string_view::npos;
}

std::string what_there_is(const std::string& protocol) {
  std::vector<agnostic::OptionInfo> there;
  for (const agnostic::OptionInfo& one : all_options()) {
    if (has_option(protocol, one)) there.push_back(one);
  }
  return there.empty() ? "it has none" : "there are " + names_of(there);
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
  throw Failure(status, fmt::format("protocol '{}' has no option '{}'; {}", protocol, name,
                                    what_there_is(protocol)));
}

}  // namespace

std::span<const Named> known_protocols() { return kProtocols; }

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
  for (const Named& one : kProtocols) {
    if (name == one.name) return library_beside(fmt::format("libmmt-protocol-{}.so", name), status);
  }
  throw Failure(status, fmt::format("no protocol '{}'; there are {}", name, names_of(kProtocols)));
}

}  // namespace mmt::cli
