#include "offload/options.h"

#include <sys/auxv.h>

#include <cstring>
#include <iterator>

#include "offload/message.h"
#include "offload/standard_error.h"

extern char** environ;

namespace mmt::offload {
namespace {

constexpr OptionInfo kTable[] = {
    {"server", "enum", "auto|on|off", "auto",
     "Memory thread: auto lets it serve where two CPUs are usable, only give memory back where "
     "not, "
     "and stay away under limits of CPU time or tasks and without address randomisation; on lets "
     "it "
     "serve wherever the system allows; off starts none."},
    {"start", "bytes", "0..1T", "1M", "Heap size at which the memory thread is started."},
    {"huge_pages", "enum", "auto|on|off", "auto",
     "Huge pages: auto asks for them from huge_from on where the system permits, on from the first "
     "byte, off never."},
    {"huge_from", "bytes", "0..1T", "4M", "Heap size from which huge pages are asked for."},
    {"prefault", "bool", "on|off", "on",
     "Make memory resident ahead of use: on the memory thread, and in steps where a thread outruns "
     "it."},
    {"prefault_max", "bytes", "0..1G", "8M", "Most memory made resident ahead of use."},
    {"decay", "ms", "0..3600000", "1000",
     "Free memory goes back to the system after one to two times this long; 0: at once."},
    {"spin", "us", "0..1000000", "60", "How long an idle memory thread spins before it naps."},
    {"park", "ms", "0..60000", "20", "How long an idle memory thread naps before it sleeps."},
    {"nice", "count", "-20..19", "0",
     "Niceness of the memory thread, where the system grants it; 0: the main thread's."},
    {"cpu", "cpu", "-1..1023", "-1", "CPU to bind the memory thread to; -1: those of the program."},
    {"follow", "bool", "on|off", "on", "Programs that this one starts run under MMT too."},
    {"quiet", "bool", "on|off", "off", "Print nothing on stderr of the library's own accord."},
    {"rseq", "enum", "auto|assume|off", "auto",
     "Restartable fast paths: auto where the C library has registered them, assume always (for "
     "counting instructions under an emulator; unsafe with signal handlers), off never."},
    {"stats", "path", "file, - for stderr", "",
     "Write statistics there at exit; %p is the process id, %e the program's name; JSON when it "
     "ends in .json; in a folder, when it ends in /, each process keeps its statistics page."},
};

constexpr size_t kCount = std::size(kTable);
constexpr size_t kMaxName = 32;

// A value that may not be terminated by zero.
struct Text {
  const char* data;
  size_t size;
  bool is(const char* other) const {
    return strlen(other) == size && memcmp(data, other, size) == 0;
  }
};

const OptionInfo* find(Text name) {
  for (const OptionInfo& info : kTable)
    if (name.is(info.name)) return &info;
  return nullptr;
}

bool among(Text value, const char* choices) {
  for (const char* choice = choices;;) {
    const size_t size = strcspn(choice, "|");
    if (size == value.size && memcmp(choice, value.data, size) == 0) return true;
    if (choice[size] == '\0') return false;
    choice += size + 1;
  }
}

uint64_t unit_of(char suffix) {
  switch (suffix) {
    case 'k':
    case 'K':
      return uint64_t{1} << 10;
    case 'm':
    case 'M':
      return uint64_t{1} << 20;
    case 'g':
    case 'G':
      return uint64_t{1} << 30;
    case 't':
    case 'T':
      return uint64_t{1} << 40;
    default:
      return 0;
  }
}

// Digits with an optional minus and K, M, G or T. False when malformed or too large.
bool parse_number(Text text, int64_t* result) {
  size_t i = 0;
  const bool negative = text.size > 0 && text.data[0] == '-';
  if (negative) ++i;
  const size_t first_digit = i;
  int64_t value = 0;
  for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; ++i)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, text.data[i] - '0', &value))
      return false;
  if (i == first_digit) return false;
  if (i + 1 == text.size) {
    const uint64_t unit = unit_of(text.data[i++]);
    if (unit == 0 || __builtin_mul_overflow(value, static_cast<int64_t>(unit), &value))
      return false;
  }
  *result = negative ? -value : value;
  return i == text.size;
}

bool in_range(const char* range, int64_t value) {
  const char* dots = strstr(range, "..");
  int64_t low = 0;
  int64_t high = 0;
  parse_number({range, static_cast<size_t>(dots - range)}, &low);
  parse_number({dots + 2, strlen(dots + 2)}, &high);
  return value >= low && value <= high;
}

const char* check(const OptionInfo& info, Text value, int64_t* number) {
  const char* kind = info.kind;
  if (strcmp(kind, "path") == 0) return value.size == 0 ? "empty path" : nullptr;
  if (strcmp(kind, "bool") == 0)
    return among(value, "on|off|1|0|true|false|yes|no") ? nullptr : "not one of on|off";
  if (strcmp(kind, "enum") == 0)
    return among(value, info.values) ? nullptr : "not one of its values";
  if (!parse_number(value, number)) return "not a number";
  return in_range(info.values, *number) ? nullptr : "out of range";
}

bool is_true(Text value) { return among(value, "on|1|true|yes"); }

Switch parse_switch(Text value) {
  return value.is("on") ? Switch::kOn : value.is("off") ? Switch::kOff : Switch::kAuto;
}

void store(Options* o, Text name, Text value, int64_t number) {
  const auto amount = static_cast<uint64_t>(number);
  if (name.is("server"))
    o->server = parse_switch(value);
  else if (name.is("start"))
    o->start_bytes = amount;
  else if (name.is("huge_pages"))
    o->huge_pages = parse_switch(value);
  else if (name.is("huge_from"))
    o->huge_from_bytes = amount;
  else if (name.is("prefault"))
    o->prefault = is_true(value);
  else if (name.is("prefault_max"))
    o->prefault_bytes = amount;
  else if (name.is("decay"))
    o->decay_ms = amount;
  else if (name.is("spin"))
    o->spin_us = amount;
  else if (name.is("park"))
    o->park_ms = amount;
  else if (name.is("nice"))
    o->niceness = number;
  else if (name.is("cpu"))
    o->cpu = number;
  else if (name.is("follow"))
    o->follow = is_true(value);
  else if (name.is("quiet"))
    o->quiet = is_true(value);
  else if (name.is("rseq"))
    o->rseq = value.is("off") ? Rseq::kOff : value.is("assume") ? Rseq::kAssume : Rseq::kAuto;
  else if (name.is("stats"))
    o->stats_path = value.size == 0 ? nullptr : value.data;
}

void apply(Options* options, Text name, Text value, const char* source) {
  const OptionInfo* info = find(name);
  int64_t number = 0;
  const char* problem = info == nullptr ? "unknown option" : check(*info, value, &number);
  if (problem == nullptr) {
    store(options, name, value, number);
    return;
  }
  if (options->quiet) return;
  Message line;
  line.text("mmt: ").text(source).text(": ").text(name.data, name.size);
  if (info != nullptr) line.text("=").text(value.data, value.size);
  line.text(": ").text(problem);
  if (info != nullptr) line.text(" (").text(info->values).text(")");
  line.text("; ignored, see 'mmt list options'").print();
}

// MMT_OPTIONS: fields end at ':' but for stats, whose path may hold one and must come last.
void apply_list(Options* options, const char* list) {
  while (*list != '\0') {
    const size_t name_size = strcspn(list, "=:");
    const Text name{list, name_size};
    const char* value = list + name_size + (list[name_size] == '=');
    const size_t value_size = name.is("stats") ? strlen(value) : strcspn(value, ":");
    if (name_size != 0 || value_size != 0) apply(options, name, {value, value_size}, "MMT_OPTIONS");
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

const OptionInfo* option_table(size_t* count) {
  *count = kCount;
  return kTable;
}

bool is_on(const char* value) { return is_true({value, strlen(value)}); }

const char* check_option(const char* name, const char* value) {
  const OptionInfo* info = find({name, strlen(name)});
  int64_t number = 0;
  return info == nullptr ? "unknown option" : check(*info, {value, strlen(value)}, &number);
}

void read_options(Options* options) {
  remember_standard_error();
  for (const OptionInfo& info : kTable) {
    const Text value{info.def, strlen(info.def)};
    int64_t number = 0;
    check(info, value, &number);
    store(options, {info.name, strlen(info.name)}, value, number);
  }
  if (environ == nullptr || getauxval(AT_SECURE) != 0) return;
  for (char** e = environ; *e != nullptr; ++e)
    if (strncmp(*e, "MMT_QUIET=", 10) == 0) options->quiet = is_true({*e + 10, strlen(*e + 10)});
  for (char** e = environ; *e != nullptr; ++e)
    if (strncmp(*e, "MMT_OPTIONS=", 12) == 0) apply_list(options, *e + 12);
  for (char** e = environ; *e != nullptr; ++e) {
    if (strncmp(*e, "MMT_", 4) != 0) continue;
    const size_t size = strcspn(*e + 4, "=");
    char name[kMaxName];
    if (!option_name(*e + 4, size, name)) continue;
    const char* value = *e + 4 + size + 1;
    apply(options, {name, size}, {value, strlen(value)}, "environment");
  }
}

}  // namespace mmt::offload
