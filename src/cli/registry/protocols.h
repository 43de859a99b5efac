// The protocols between a program and its memory thread, and their options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/registry/named.h"
#include "cli/registry/options.h"

namespace mmt::cli {

// Ours first, then the paper's in its order, then those of its slides.
std::vector<Named> known_protocols();

// Ours.
inline constexpr const char* kOwnProtocol = "mmt";

bool is_protocol(std::string_view name);

// "NAME" or "NAME:OPTION=VALUE,...".
struct Protocol {
  std::string name;
  std::string options;  // as MMT_PROTOCOL_OPTIONS wants them; may be empty
};

// The names of those that take an option of protocol_options(): "sync", or "all but mmt" where
// those that do not are fewer.
std::string protocols_with(const OptionInfo& option);

// Throws a Failure with `status` that names what is wrong.
Protocol parse_protocol(std::string_view text, int status);
// Full path of its library; the same.
std::string protocol_library_path(const std::string& name, int status);

}  // namespace mmt::cli
