// The options of the library and of the protocols, for people: their rows, with defaults as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mmt::cli {

struct OptionInfo {
  std::string name;
  std::string owner;   // the heap, protocol or group of protocols that has it; empty: all
  std::string kind;    // bool, enum, bytes, ms, us, count, path, cpu
  std::string values;  // "auto|on|off", "0..1T"
  std::string def;
  std::string help;
};

// "auto|on|off": each of them.
std::vector<std::string> words_of(std::string_view values);

// The options of libmmt.so.
const std::vector<OptionInfo>& library_options();

// nullptr: there is none. Both spellings are known, huge_pages and huge-pages.
const OptionInfo* find_library_option(std::string_view name);

// The options of all protocols.
const std::vector<OptionInfo>& protocol_options();

}  // namespace mmt::cli
