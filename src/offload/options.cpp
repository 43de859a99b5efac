#include "offload/options.h"

#include <sys/auxv.h>

#include <cstddef>
#include <cstring>
#include <iterator>

#include "offload/message.h"
#include "offload/standard_error.h"

extern char** environ;

namespace mmt::offload {
namespace {

using options::field;
using options::Kind;
using options::Row;
using options::Table;
using options::Text;
using options::Value;

// Whom an option is for: the native heap, or whatever serves a program, in words of the command
// too.
constexpr const char* kNative = "native";
constexpr const char* kAll = "";

constexpr Row kRows[] = {
    {"server", kNative, Kind::kChoice, "auto", "auto|on|off",
     field(offsetof(Options, server), sizeof(Options::server)),
     "Memory thread: auto lets it serve where two CPUs are usable, only give memory back where "
     "not, and stay away under limits of CPU time or tasks and without address randomisation; on "
     "lets it serve wherever the system allows; off starts none."},
    {"start", kNative, Kind::kBytes, "1M", "0..1T",
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
    {"spin", kNative, Kind::kMicroseconds, "60", "0..1000000",
     field(offsetof(Options, spin_us), sizeof(Options::spin_us)),
     "How long an idle memory thread spins before it naps."},
    {"park", kNative, Kind::kMilliseconds, "20", "0..60000",
     field(offsetof(Options, park_ms), sizeof(Options::park_ms)),
     "How long an idle memory thread naps before it sleeps."},
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
};

constexpr Table kTable{kRows, std::size(kRows)};
constexpr size_t kMaxName = 32;
constexpr size_t kMaxPath = 4096;

Text whole(const char* text) { return {text, strlen(text)}; }

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
  const char* source;  // what stands before it in a message
  Text written;        // its name there
  Text name;
  Text value;
};

const char* unit_of(options::Kind kind) {
  return kind == Kind::kMilliseconds   ? " milliseconds"
         : kind == Kind::kMicroseconds ? " microseconds"
                                       : "";
}

void apply(Options* options, const Setting& setting) {
  const Text value = setting.value;
  const Row* row = find(kTable, setting.name);
  Value parsed{0, nullptr};
  const char* problem = row == nullptr ? "unknown option" : parse(*row, value, &parsed);
  if (problem == nullptr && row->kind == Kind::kPath) {
    parsed.text = value.data[value.size] == '\0' ? value.data : copied(value);
    if (parsed.text == nullptr) problem = "too long";
  }
  if (problem == nullptr) {
    row->field.store(options, parsed);
    return;
  }
  if (options->quiet) return;
  Message line;
  line.text("mmt: ").text(setting.source).text(setting.written.data, setting.written.size);
  if (row != nullptr) line.text("=").text(value.data, value.size);
  line.text(": ").text(problem);
  if (row != nullptr) line.text(" (").text(row->values).text(unit_of(row->kind)).text(")");
  line.text("; ignored, see 'mmt list options'").print();
}

// Whether "name=" with the name of an option begins here.
bool begins_option(const char* at) {
  const size_t size = strcspn(at, "=:");
  return at[size] == '=' && find(kTable, {at, size}) != nullptr;
}

// Of a field of the list. A path may hold a ':', and ends where another option follows.
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
    if (name_size != 0 || value_size != 0)
      apply(options, {"MMT_OPTIONS: ", name, name, {value, value_size}});
    list = value + value_size;
    if (*list == ':') ++list;
  }
}

// The option that environment variable MMT_NAME stands for; false for MMT_OPTIONS and others that
// are no options but settings of the command line tool and of the protocols over other allocators,
// which a process may inherit.
bool option_name(const char* variable, size_t size, char* name) {
  if (size >= kMaxName) return false;
  for (size_t i = 0; i < size; ++i)
    name[i] = static_cast<char>(variable[i] >= 'A' && variable[i] <= 'Z' ? variable[i] + 32
                                                                         : variable[i]);
  name[size] = '\0';
  return strcmp(name, "options") != 0 && strcmp(name, "library") != 0 &&
         strcmp(name, "preloaded") != 0 && strcmp(name, "protocol_options") != 0 &&
         strcmp(name, "lab") != 0 && strncmp(name, "lab_", 4) != 0 &&
         strncmp(name, "bench", 5) != 0;
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
  remember_standard_error();
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
    if (strncmp(*e, "MMT_", 4) != 0) continue;
    const size_t size = strcspn(*e + 4, "=");
    char name[kMaxName];
    if ((*e)[4 + size] == '\0' || !option_name(*e + 4, size, name)) continue;
    const char* value = *e + 4 + size + 1;
    apply(options, {"", {*e, 4 + size}, {name, size}, whole(value)});
  }
}

}  // namespace mmt::offload
