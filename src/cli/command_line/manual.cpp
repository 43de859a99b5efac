#include "cli/command_line/manual.h"

#include <string_view>

#include <fmt/format.h>

#include "cli/command_line/grammar.h"
#include "cli/registry/heaps.h"
#include "cli/registry/protocols.h"
#include "interprocess/variables.h"

namespace mmt::cli {
namespace {

// Text that troff takes as it is: no minus becomes a hyphen, and no line a request.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string option(const OptionGrammar& one) {
  std::string names;
  for (const std::string& name : one.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", plain(name));
  }
  if (!one.is_flag() && one.names.front().starts_with("-")) {
    names += one.may_be_alone ? fmt::format("[=\\fI{}\\fR]", plain(one.value))
                              : fmt::format(" \\fI{}\\fR", plain(one.value));
  }
  return fmt::format(".TP\n{}\n{}\n", names, plain(one.help));
}

std::string verb(const VerbGrammar& grammar) {
  std::string out = fmt::format(".SH \"MMT {}\"\n", grammar.name);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  out += plain(grammar.help) + ".\n";
  std::string group = "Options";
  for (const OptionGrammar& one : grammar.operands) {
    if (!one.help.empty()) out += option(one);
  }
  for (const OptionGrammar& one : grammar.options) {
    if (one.group != group) out += fmt::format(".SS {}\n", plain(one.group));
    group = one.group;
    out += option(one);
  }
  for (const Example& one : grammar.examples) {
    out += fmt::format(".PP\nExample{}{}:\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n",
                       one.shows.empty() ? "" : ", ", plain(one.shows), plain(one.command));
  }
  return out;
}

// What people set, and what each option is as a variable.
std::vector<Named> environment() {
  std::vector<Named> all;
  for (const options::Variable& one : options::variables()) {
    if (!one.is_own) all.push_back({one.name, one.help});
  }
  return all;
}

std::string list(std::string_view title, const std::vector<Named>& all) {
  std::string out = fmt::format(".SH {}\n", title);
  for (const Named& one : all) {
    out += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", plain(one.name), plain(one.help));
  }
  return out;
}

}  // namespace

std::string manual_of(const CLI::App& root, const std::vector<Verb>& verbs) {
  std::vector<VerbGrammar> shown;
  for (const Verb& one : verbs) {
    if (!one.app->get_group().empty()) shown.push_back(grammar_of(one));
  }
  std::string out = fmt::format(
      ".TH MMT 1\n.SH NAME\nmmt \\- memory management on a thread of its own\n.SH SYNOPSIS\n.nf\n");
  for (const VerbGrammar& one : shown) out += plain(one.usage) + "\n";
  out += fmt::format(".fi\n.SH DESCRIPTION\n{}\n", plain(root.get_description()));
  for (const OptionGrammar& one : grammar_of_root(root)) out += option(one);
  for (const VerbGrammar& one : shown) out += verb(one);
  out += list("HEAPS", known_heaps());
  out += list("PROTOCOLS", known_protocols());
  out += list("ENVIRONMENT", environment());
  out += ".PP\nFlags go before MMT_NAME, which goes before MMT_OPTIONS.\n";
  return out;
}

}  // namespace mmt::cli
