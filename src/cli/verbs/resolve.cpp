// `mmt resolve SPEC...`, not in the help: what the words of registry/allocator_spec.h stand for, as
// JSON. The laboratory asks it; docs/laboratory.md has what it prints.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mmt/core/visible.h>

#include "cli/command_line/byte_text.h"
#include "cli/command_line/verb.h"
#include "cli/registry/allocator_spec.h"
#include "cli/registry/applying.h"
#include "cli/registry/settings.h"
#include "command/failure.h"
#include "command/message.h"
#include "interprocess/heap_options.h"

namespace mmt::cli {

using command::kUsage;
using command::show;
using programs::AllocatorChoice;
using programs::Command;

namespace {

using Json = nlohmann::ordered_json;

Json described(const AllocatorChoice& choice, const std::string& spec) {
  Json environment = Json::object();
  for (const auto& [name, value] : choice.environment) environment[name] = value;
  return {{"spec", spec},
          {"name", choice.name},
          {"libraries", choice.libraries},
          {"serves_malloc", choice.serves_malloc()},
          {"environment", std::move(environment)},
          {"options", choice.options},
          {"is_mmt", choice.is_ours},
          {"version", choice.is_ours ? MMT_VERSION : ""},
          {"missing", choice.missing.empty() ? Json() : Json(choice.missing)}};
}

// What nothing takes where no native heap is among them.
Json in_vain() {
  Json places = Json::array();
  if (heap::is_on(resolved_value("quiet", {}).c_str())) return places;
  for (const Setting& one : environment_in_vain(kUsage)) places.push_back(place_of(one));
  return places;
}

// JSON in ASCII, where a byte that is no UTF-8 is the lone surrogate that Python takes for it.
std::string in_ascii(std::string_view json) {
  std::string out;
  for (; !json.empty();) {
    const core::Letter letter = core::first_letter(json.data(), json.size());
    json.remove_prefix(letter.bytes);
    if (!letter.is_utf8) {
      out += fmt::format("\\u{:04x}", 0xDC00 + letter.code);
    } else if (letter.code < 0x7F) {
      out += static_cast<char>(letter.code);
    } else if (letter.code <= 0xFFFF) {
      out += fmt::format("\\u{:04x}", letter.code);
    } else {
      const std::uint32_t rest = letter.code - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10), 0xDC00 + (rest & 0x3FF));
    }
  }
  return out;
}

// Paths are any bytes.
std::string printed(Json json) {
  const auto make_text = [](auto& self, Json& one) -> void {
    if (one.is_string()) {
      one = text_of_bytes(one.get<std::string>());
    } else if (one.is_structured()) {
      for (Json& part : one) self(self, part);
    }
  };
  make_text(make_text, json);
  return in_ascii(bytes_of_text(json.dump()));
}

}  // namespace

Verb add_resolve(CLI::App& root) {
  auto specs = std::make_shared<std::vector<std::string>>();
  CLI::App* app = root.add_subcommand("resolve", "");
  app->group("");
  app->add_option("specs", *specs, "Allocators");
  return {app, [specs](const Command& behind_marker) {
            specs->insert(specs->end(), behind_marker.begin(), behind_marker.end());
            Json all = Json::array();
            bool has_native = false;
            for (const std::string& one : *specs) {
              const AllocatorChoice choice = resolve_allocator(one, kUsage);
              has_native = has_native || choice.is_native;
              all.push_back(described(choice, one));
            }
            const Json ignored = has_native ? Json::array() : in_vain();
            show(printed({{"schema", 1}, {"allocators", all}, {"ignored", ignored}}) + "\n");
            return 0;
          }};
}

}  // namespace mmt::cli
