#pragma once
// Options of the library: read once from the environment, MMT_OPTIONS="name=value:name=value" and
// MMT_NAME=value (which wins). An option is a field of Options and a row of the table.
// Nothing here allocates.
#include <cstddef>
#include <cstdint>

#include "interprocess/option_table.h"

namespace mmt::heap {

// All options, in the order of the documentation; rows are of struct Options.
options::Table option_table();

// Checks a value as the library does. The result is nullptr when the value is fine. Else it is a
// static text that says what is wrong ("unknown option", "not one of auto|on|off", ...).
const char* check_option(const char* name, const char* value);

// True for the value of a switch that means "on".
bool is_on(const char* value);

enum class Switch : uint8_t { kAuto, kOn, kOff };
enum class Rseq : uint8_t { kAuto, kAssume, kOff };
// What a hardened heap checks, and what follows when it finds a fault.
enum class Harden : uint8_t { kOff, kAsync, kSync, kDebug, kPhk, kOpenbsd };
enum class HardenAfter : uint8_t { kAuto, kAbort, kExit, kCount };

// Zero until read, so that a heap that has one takes no room in the file.
struct Options {
  Switch server = Switch::kAuto;
  uint64_t start_bytes = 0;  // heap size at which the memory thread starts
  Switch huge_pages = Switch::kAuto;
  uint64_t huge_from_bytes = 0;
  bool prefault = false;
  uint64_t prefault_bytes = 0;  // most memory prepared ahead of use
  uint64_t decay_ms = 0;
  Switch drain = Switch::kAuto;
  int64_t niceness = 0;
  int64_t cpu = 0;
  bool follow = false;
  bool quiet = false;
  Rseq rseq = Rseq::kAuto;
  const char* stats_path = nullptr;  // until the process ends
  Harden harden = Harden::kOff;      // by a library that is hardened: as kAsync
  uint64_t guard = 0;  // one in so many allocations; 0, by a library that guards: its own choice
  HardenAfter harden_after = HardenAfter::kAuto;
  Switch harden_bounds = Switch::kAuto;
  Switch harden_types = Switch::kAuto;
  Switch harden_sizes = Switch::kAuto;
  Switch harden_freed = Switch::kAuto;
  Switch harden_quarantine = Switch::kAuto;
  Switch harden_fill = Switch::kAuto;
  Switch harden_seal = Switch::kAuto;
  const char* harden_report = nullptr;  // until the process ends
};

// Reads the environment into `options`. Every wrong option is reported by one line on stderr that
// names it, unless `quiet` is set, and otherwise ignored. From then on the library writes to the
// file that is stderr now, and to no other.
void read_options(Options* options);

}  // namespace mmt::heap
