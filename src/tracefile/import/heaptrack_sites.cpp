#include "tracefile/import/heaptrack_sites.h"

#include <charconv>

namespace mmt::tracefile {
namespace {

constexpr int kHex = 16;
constexpr uint64_t kFirstWithLengths = 3;

// No site's text is longer by much.
constexpr size_t kLongestName = 4096;

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1).substr(0, kLongestName);
}

std::string hex(uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, kHex).ptr;
  return "0x" + std::string(digits, end);
}

}  // namespace

std::string HeaptrackSites::text_in(Words& words) const {
  if (version_ < kFirstWithLengths) return std::string(words.text());
  const uint64_t length = words.number("length", kHex);
  const std::string_view text = words.text(length);
  if (text.size() != length) lines_.fail("the text is shorter than its length");
  return std::string(text);
}

// Numbers may follow it.
std::string HeaptrackSites::path_in(Words& words) const {
  return version_ < kFirstWithLengths ? std::string(words.next()) : text_in(words);
}

const std::string& HeaptrackSites::string(uint64_t number) const {
  static const std::string none;
  if (number == 0) return none;
  if (number > strings_.size()) lines_.fail("no 's' line has this string");
  return strings_[number - 1];
}

uint32_t HeaptrackSites::string_number(Words& words, const char* what) const {
  const uint64_t number = words.number(what, kHex);
  if (number > UINT32_MAX) lines_.fail("no 's' line has this string");
  string(number);
  return static_cast<uint32_t>(number);
}

void HeaptrackSites::add_instruction(Words& words) {
  Instruction one;
  one.address = words.number("address", kHex);
  one.module = string_number(words, "module");
  one.has_function = !words.is_empty();
  if (one.has_function) {
    one.function = string_number(words, "function");
    one.is_operator = string(one.function).starts_with("operator new");
    if (!words.is_empty()) {
      one.file = string_number(words, "file");
      one.line = words.number("line", kHex);
    }
  }
  instructions_.push_back(one);
}

// "function (file:line) module", or "module 0xaddress" where no function is known.
std::string HeaptrackSites::text_of(const Instruction& one) const {
  const std::string module(file_name(string(one.module)));
  if (!one.has_function) return module + " " + hex(one.address);
  std::string text = string(one.function).substr(0, kLongestName);
  const std::string file(file_name(string(one.file)));
  if (!file.empty()) text += " (" + file + ":" + std::to_string(one.line) + ")";
  return text + " " + module;
}

void HeaptrackSites::add_module(Words& words) {
  const std::string path = path_in(words);
  if (path == "-") {
    modules_.clear();
    paths_.clear();
    return;
  }
  const uint64_t base = words.number("base", kHex);
  paths_.push_back(path == "x" ? program_ : path);
  while (!words.is_empty()) {
    const uint64_t start = base + words.number("segment", kHex);
    const uint64_t size = words.number("size", kHex);
    modules_[start + size] = {paths_.size() - 1, base};
  }
}

void HeaptrackSites::add_trace(Words& words) {
  const uint64_t instruction = words.number("instruction", kHex);
  const uint64_t caller = words.number("calling trace", kHex);
  if (caller > traces_.size()) lines_.fail("no 't' line has the calling trace");
  traces_.push_back({instruction, caller});
}

std::string HeaptrackSites::text_of_address(uint64_t address) const {
  const auto found = modules_.upper_bound(address);
  if (found == modules_.end() || address < found->second.base) return hex(address);
  const Module& module = found->second;
  return std::string(file_name(paths_[module.path])) + "+" + hex(address - module.base);
}

const HeaptrackSites::Instruction& HeaptrackSites::instruction_of(const Trace& trace) const {
  if (trace.instruction == 0 || trace.instruction > instructions_.size()) {
    lines_.fail("no 'i' line has the instruction of this trace");
  }
  return instructions_[trace.instruction - 1];
}

uint32_t HeaptrackSites::site(uint64_t trace) {
  if (trace == 0 || trace > traces_.size()) return 0;
  Trace& asked = traces_[trace - 1];
  if (asked.site != 0) return asked.site;
  if (instructions_.empty()) return asked.site = to_.site(text_of_address(asked.instruction));
  const Trace* one = &asked;
  while (instruction_of(*one).is_operator && one->caller != 0) one = &traces_[one->caller - 1];
  return asked.site = to_.site(text_of(instruction_of(*one)));
}

}  // namespace mmt::tracefile
