// What can be typed behind a verb: the one description from which help, completions and the manual
// are made. It comes from the verb's declaration, or from the laboratory.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line/verb.h"

namespace mmt::cli {

struct OptionGrammar {
  std::vector<std::string> names;  // "--heap", "-q"; of an operand one without dashes
  std::string value;               // what stands for it: "NAME", "auto|on|off"; empty: a flag
  bool may_be_alone = false;       // --stats or --stats=FILE
  std::string help = {};
  std::string group = {};
  std::vector<std::string> values = {};  // all there are; empty: not known
  bool is_list = false;                  // several, separated by commas
  std::string kind = {};  // of values that are found as they are asked for: candidates.h

  bool is_flag() const { return value.empty(); }
  bool has_name(const std::string& name) const;
};

struct VerbGrammar {
  std::string name;
  std::string help;
  std::string usage;
  bool is_hidden = false;
  bool takes_command = false;   // behind "--"
  bool starts_command = false;  // also without it, from the first word that is no option
  std::vector<OptionGrammar> operands;
  std::vector<OptionGrammar> options;
  std::vector<Example> examples;

  // Whether a first word that is no option can only be meant for a program.
  bool begins_command() const { return starts_command || (takes_command && operands.empty()); }
};

// `typed`: the words behind the verb so far, on which the values of the laboratory's options
// depend.
VerbGrammar grammar_of(const Verb& verb, const std::vector<std::string>& typed = {});

// The options of `mmt` itself.
std::vector<OptionGrammar> grammar_of_root(const CLI::App& root);

}  // namespace mmt::cli
