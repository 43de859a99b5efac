#pragma once
// Call sites of heaptrack's traces: texts of what called malloc, from its lines of strings,
// modules, instructions and traces. Numbers in them are hexadecimal and count from 1.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tracefile/import/builder.h"
#include "tracefile/import/words.h"

namespace mmt::tracefile {

class HeaptrackSites {
 public:
  HeaptrackSites(const Lines& lines, Builder& to) : lines_(lines), to_(to) {}

  // Sets the version of the file's format. From 3 on, strings have their length in front.
  void set_version(uint64_t version) { version_ = version; }

  void add_string(Words& words) { strings_.push_back(text_in(words)); }
  // As stored: address, module, and function, file and line of each function that is inlined there,
  // the innermost first.
  void add_instruction(Words& words);
  // Raw: the program's path.
  void set_program(Words& words) { program_ = path_in(words); }
  // Raw: a path, "x" for the program, its base, and its segments; "-": all are told anew.
  void add_module(Words& words);
  // As stored an instruction, raw an address; and the trace that has called it, or 0.
  void add_trace(Words& words);

  // The site of the trace's innermost call that is no operator of C++; 0: none is told. A name that
  // is longer than 4 KiB gives its beginning.
  uint32_t site(uint64_t trace);

 private:
  // Strings by number, 0: none. Texts are made when they are asked for: a line of a few bytes may
  // name strings of a MiB.
  struct Instruction {
    uint64_t address = 0;
    uint32_t module = 0;
    uint32_t function = 0;
    uint32_t file = 0;
    uint64_t line = 0;
    bool has_function = false;
    bool is_operator = false;
  };
  struct Trace {
    uint64_t instruction;  // or address
    uint64_t caller;
    uint32_t site = 0;  // 0: not asked for yet
  };
  struct Module {
    size_t path;  // in paths_
    uint64_t base;
  };

  std::string text_in(Words& words) const;
  std::string path_in(Words& words) const;
  const std::string& string(uint64_t number) const;
  uint32_t string_number(Words& words, const char* what) const;
  std::string text_of(const Instruction& one) const;
  const Instruction& instruction_of(const Trace& trace) const;
  std::string text_of_address(uint64_t address) const;

  const Lines& lines_;
  Builder& to_;
  uint64_t version_ = 0;
  std::string program_;
  std::vector<std::string> paths_;  // of modules
  std::vector<std::string> strings_;
  std::vector<Instruction> instructions_;
  std::vector<Trace> traces_;
  std::map<uint64_t, Module> modules_;  // raw: by the end of a segment
};

}  // namespace mmt::tracefile
