#include "interprocess/heap_options.h"

#include <sys/auxv.h>

#include <cstddef>
#include <cstring>
#include <iterator>

#include <mmt/core/compiler.h>

#include "interprocess/nearest.h"
#include "interprocess/variables.h"
#include "sys/message.h"
#include "sys/standard_error.h"

extern char** environ;

namespace mmt::heap {
namespace {

using core::whole;
using options::field;
using options::Kind;
using options::Nearest;
using options::Row;
using options::Table;
using options::Text;
using options::Value;
using sys::Message;

// Whom an option is for: the native heap, or whatever serves a program, in words of the command
// too.
constexpr const char* kNative = "native";
constexpr const char* kHardened = "hardened";
constexpr const char* kAll = "";

constexpr Row kRows[] = {
    {"server", kNative, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, server), sizeof(Options::server)),
     "Memory thread: auto lets it serve where two CPUs are usable, only give memory back where "
     "not, and stay away under limits of CPU time or tasks and without address randomisation; on "
     "lets it serve wherever the system allows; off starts none."},
    {"start", kNative, Kind::kBytes, "4M", "0..1T",
     field(offsetof(Options, start_bytes), sizeof(Options::start_bytes)),
     "Heap size at which the memory thread is started."},
    {"huge_pages", kNative, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, huge_pages), sizeof(Options::huge_pages)),
     "Huge pages: auto asks for them from huge_from on where the system permits, on from the first "
     "byte, off never."},
    {"huge_from", kNative, Kind::kBytes, "4M", "0..1T",
     field(offsetof(Options, huge_from_bytes), sizeof(Options::huge_from_bytes)),
     "Heap size from which huge pages are asked for."},
    {"prefault", kNative, Kind::kSwitch, "on", "on|off",
     field(offsetof(Options, prefault), sizeof(Options::prefault)),
     "Make memory resident ahead of use: on the memory thread, and in steps where a thread outruns "
     "it."},
    {"prefault_max", kNative, Kind::kBytes, "8M", "0..1G",
     field(offsetof(Options, prefault_bytes), sizeof(Options::prefault_bytes)),
     "Most memory made resident ahead of use."},
    {"decay", kNative, Kind::kMilliseconds, "1000", "0..3600000",
     field(offsetof(Options, decay_ms), sizeof(Options::decay_ms)),
     "Free memory goes back to the system after one to two times this long; 0: at once."},
    {"drain", kNative, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, drain), sizeof(Options::drain)),
     "Freed blocks that no thread needs travel to the memory thread, which puts them back: auto "
     "while a thread frees and takes nothing, on always, off never."},
    {"nice", kNative, Kind::kCount, "0", "-20..19",
     field(offsetof(Options, niceness), sizeof(Options::niceness)),
     "Niceness of the memory thread, where the system grants it; 0: the main thread's."},
    {"cpu", kNative, Kind::kCpu, "-1", "-1..1023",
     field(offsetof(Options, cpu), sizeof(Options::cpu)),
     "CPU to bind the memory thread to; -1: those of the program."},
    {"follow", kNative, Kind::kSwitch, "on", "on|off",
     field(offsetof(Options, follow), sizeof(Options::follow)),
     "Programs that this one starts run under MMT too."},
    {"quiet", kAll, Kind::kSwitch, "off", "on|off",
     field(offsetof(Options, quiet), sizeof(Options::quiet)),
     "Print nothing on stderr of the library's own accord."},
    {"rseq", kNative, Kind::kChoice, "auto", "auto|assume|off",
     field(offsetof(Options, rseq), sizeof(Options::rseq)),
     "Restartable fast paths: auto where the C library has registered them, assume always (for "
     "counting instructions under an emulator; unsafe with signal handlers), off never."},
    {"stats", kNative, Kind::kPath, "", "file, - for stderr",
     field(offsetof(Options, stats_path), sizeof(Options::stats_path)),
     "Write statistics there at exit; %p is the process id, %e the program's name; JSON when it "
     "ends in .json; in a folder, when it ends in /, each process keeps its statistics page."},
    {"harden", kNative, Kind::kChoice, "off", "off|async|sync|debug|phk|openbsd",
     field(offsetof(Options, harden), sizeof(Options::harden)),
     "Run on the hardened heap: async goes on after a fault and fails at exit, sync ends the "
     "program at the call that is wrong, debug also fills with junk, phk and openbsd check what "
     "these allocators do."},
    {"guard", kNative, Kind::kCount, "0", "0..1000000000",
     field(offsetof(Options, guard), sizeof(Options::guard)),
     "Serve one in so many allocations from guarded places, which find errors of the program; 0: "
     "none."},
    {"harden_after", kHardened, Kind::kChoice, "auto", "auto|abort|exit|count",
     field(offsetof(Options, harden_after), sizeof(Options::harden_after)),
     "What follows a report: abort, a status that is not 0 at exit, or nothing (count); auto: exit "
     "with async, else abort."},
    {"harden_bounds", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_bounds), sizeof(Options::harden_bounds)),
     "Look for writes beyond blocks and before them."},
    {"harden_types", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_types), sizeof(Options::harden_types)),
     "Blocks are to be freed by the family of names that allocated them: malloc, new, new[]."},
    {"harden_sizes", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_sizes), sizeof(Options::harden_sizes)),
     "Sizes and alignments that delete and free_sized are told are to be right."},
    {"harden_freed", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_freed), sizeof(Options::harden_freed)),
     "Look for writes to freed blocks."},
    {"harden_quarantine", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_quarantine), sizeof(Options::harden_quarantine)),
     "Freed blocks wait before they are used again, and leave in random order."},
    {"harden_fill", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_fill), sizeof(Options::harden_fill)),
     "Freed memory and new blocks are filled: by zeros, or by junk with debug, phk and openbsd."},
    {"harden_seal", kHardened, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, harden_seal), sizeof(Options::harden_seal)),
     "The heap's own tables cannot be written by the program: slow, and without a memory thread; "
     "auto with debug."},
    {"harden_report", kHardened, Kind::kPath, "", "file",
     field(offsetof(Options, harden_report), sizeof(Options::harden_report)),
     "Write reports there as well, as JSON lines; %p is the process id, %e the program's name."},
};

constexpr Table kTable{kRows, std::size(kRows)};
constexpr const char* kPrefix = "MMT_";  // of variables
constexpr size_t kPrefixSize = 4;
constexpr size_t kMaxName = 32;
constexpr size_t kMaxPath = 4096;

char in_capitals(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

char in_small_letters(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// A path that other options follow in the list, ended by a zero.
const char* copied(Text path) {
  static char copy[kMaxPath];
  if (path.size >= sizeof copy) return nullptr;
  memcpy(copy, path.data, path.size);
  copy[path.size] = '\0';
  return copy;
}

// One option as it was set.
struct Setting {
  bool is_variable;  // else a part of MMT_OPTIONS
  Text written;      // its name there
  Text name;
  Text value;
};

const char* unit_of(options::Kind kind) {
  return kind == Kind::kMilliseconds ? " milliseconds" : "";
}

// A value that is near enough to be meant; of size 0: none is. Off the stack again before there is
// a Message, as malloc reads options.
MMT_COLD Text near_value(const Row& row, Text value) {
  if (row.kind != Kind::kChoice && row.kind != Kind::kSwitch) return {nullptr, 0};
  Nearest nearest(value);
  nearest.offer_each(row.values);
  return nearest.word();
}

// The same of a name. A variable may stand for an option, or be meant for another of its kind.
MMT_COLD Text near_name(const Setting& setting) {
  Nearest nearest(setting.name);
  for (const Row& row : kTable) nearest.offer(whole(row.name));
  for (const options::Variable& one : options::variables())
    if (setting.is_variable && !one.is_own && strncmp(one.name, kPrefix, kPrefixSize) == 0)
      nearest.offer(whole(one.name + kPrefixSize));
  return nearest.word();
}

// `row` is nullptr where the name is wrong; `meant` is near to what is wrong, or of size 0.
MMT_COLD void complain(const Setting& setting, const Row* row, const char* problem, Text meant) {
  Message line;
  line.text(setting.is_variable ? "mmt: " : "mmt: MMT_OPTIONS: ")
      .text(setting.written.data, setting.written.size);
  if (row != nullptr) line.text("=").text(setting.value.data, setting.value.size);
  line.text(": ").text(problem);
  if (row != nullptr) line.text(" (").text(row->values).text(unit_of(row->kind)).text(")");
  line.text("; ignored");
  if (meant.size == 0) {
    line.text(", see 'mmt list options'").print();
    return;
  }
  const bool is_variable = row == nullptr && setting.is_variable;
  line.text("; did you mean '").text(is_variable ? kPrefix : "");
  for (size_t i = 0; i < meant.size; ++i) {
    const char letter = is_variable ? in_capitals(meant.data[i]) : meant.data[i];
    line.text(&letter, 1);
  }
  line.text("'?").print();
}

// What is wrong with it; nullptr: nothing, and `options` has it.
MMT_NOINLINE const char* store(Options* options, const Row& row, Text value) {
  Value parsed{0, nullptr};
  const char* const problem = parse(row, value, &parsed);
  if (problem != nullptr) return problem;
  if (row.kind == Kind::kPath) {
    parsed.text = value.data[value.size] == '\0' ? value.data : copied(value);
    if (parsed.text == nullptr) return "too long";
  }
  row.field.store(options, parsed);
  return nullptr;
}

void apply(Options* options, const Setting& setting) {
  const Row* const row = find(kTable, setting.name);
  const char* const problem =
      row == nullptr ? "unknown option" : store(options, *row, setting.value);
  if (problem == nullptr || options->quiet) return;
  complain(setting, row, problem,
           row != nullptr ? near_value(*row, setting.value) : near_name(setting));
}

// Whether "name=" with the name of an option begins here.
bool begins_option(const char* at) {
  const size_t size = strcspn(at, "=:");
  return at[size] == '=' && find(kTable, {at, size}) != nullptr;
}

// Returns the size of a value in the list. A path may hold a ':', and ends where another option
// follows.
size_t size_of_value(const char* value, bool is_path) {
  size_t size = strcspn(value, ":");
  while (is_path && value[size] != '\0' && !begins_option(value + size + 1))
    size += 1 + strcspn(value + size + 1, ":");
  return size;
}

void apply_list(Options* options, const char* list) {
  while (*list != '\0') {
    const size_t name_size = strcspn(list, "=:");
    const Text name{list, name_size};
    const char* value = list + name_size + (list[name_size] == '=');
    const Row* row = find(kTable, name);
    const size_t value_size = size_of_value(value, row != nullptr && row->kind == Kind::kPath);
    if (name_size != 0 || value_size != 0) apply(options, {false, name, name, {value, value_size}});
    list = value + value_size;
    if (*list == ':') ++list;
  }
}

}  // namespace

Table option_table() { return kTable; }

bool is_on(const char* value) {
  Value parsed{0, nullptr};
  return parse(*find(kTable, whole("quiet")), whole(value), &parsed) == nullptr &&
         parsed.number != 0;
}

const char* check_option(const char* name, const char* value) {
  const Row* row = find(kTable, whole(name));
  Value ignored{0, nullptr};
  return row == nullptr ? "unknown option" : parse(*row, whole(value), &ignored);
}

void read_options(Options* options) {
  sys::remember_standard_error();
  for (const Row& row : kTable) {
    Value value{0, nullptr};
    parse(row, whole(row.def), &value);
    row.field.store(options, value);
  }
  if (environ == nullptr || getauxval(AT_SECURE) != 0) return;
  for (char** e = environ; *e != nullptr; ++e)
    if (strncmp(*e, "MMT_QUIET=", 10) == 0) options->quiet = is_on(*e + 10);
  for (char** e = environ; *e != nullptr; ++e)
    if (strncmp(*e, "MMT_OPTIONS=", 12) == 0) apply_list(options, *e + 12);
  for (char** e = environ; *e != nullptr; ++e) {
    if (strncmp(*e, kPrefix, kPrefixSize) != 0) continue;
    const char* const bare = *e + kPrefixSize;
    const size_t size = strcspn(bare, "=");
    char name[kMaxName];
    if (bare[size] == '\0' || size >= sizeof name) continue;
    if (options::is_variable({*e, kPrefixSize + size})) continue;
    for (size_t i = 0; i < size; ++i) name[i] = in_small_letters(bare[i]);
    const char* value = bare + size + 1;
    apply(options, {true, {*e, kPrefixSize + size}, {name, size}, whole(value)});
  }
}

}  // namespace mmt::heap
