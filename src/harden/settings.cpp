#include "harden/settings.h"

namespace mmt::harden {
namespace {

using heap::Harden;
using heap::HardenAfter;
using heap::Options;
using heap::Switch;

bool is_on(Switch value, bool by_itself) {
  return value == Switch::kAuto ? by_itself : value == Switch::kOn;
}

// What is filled into memory by presets that do not use zeros.
constexpr uint8_t kFreedJunk = 0xdf;
constexpr uint8_t kNewJunk = 0xdb;
constexpr uint8_t kPhkJunk = 0xd0;

}  // namespace

constinit Settings settings{};

void read_settings(const Options& options) {
  const Harden preset = options.harden == Harden::kOff ? Harden::kAsync : options.harden;
  const bool is_phk = preset == Harden::kPhk;
  Settings& s = settings;
  s.is_sync = preset != Harden::kAsync;
  s.looks_left = s.is_sync;
  s.trusts_others = true;
  s.checks_bounds = is_on(options.harden_bounds, !is_phk);
  s.checks_types = is_on(options.harden_types, !is_phk && preset != Harden::kOpenbsd);
  s.checks_sizes = is_on(options.harden_sizes, !is_phk);
  s.quarantines = is_on(options.harden_quarantine, !is_phk);
  s.fills = is_on(options.harden_fill, true);
  s.checks_freed = s.fills && is_on(options.harden_freed, !is_phk);
  s.seals = is_on(options.harden_seal, preset == Harden::kDebug);
  s.keeps_stacks = preset == Harden::kDebug;
  const bool has_junk = preset == Harden::kDebug || preset == Harden::kOpenbsd || is_phk;
  s.freed_byte = !has_junk ? 0 : is_phk ? kPhkJunk : kFreedJunk;
  s.allocated_byte = !has_junk ? 0 : is_phk ? kPhkJunk : kNewJunk;
  s.is_standard = s.checks_bounds && s.checks_types && s.checks_sizes && s.checks_freed &&
                  s.quarantines && s.fills && !has_junk && !s.keeps_stacks;
  switch (options.harden_after) {
    case HardenAfter::kAuto:
      s.after = s.is_sync ? After::kAbort : After::kExit;
      break;
    case HardenAfter::kAbort:
      s.after = After::kAbort;
      break;
    case HardenAfter::kExit:
      s.after = After::kExit;
      break;
    case HardenAfter::kCount:
      s.after = After::kCount;
      break;
  }
  s.report_path = options.harden_report;
  s.is_read = true;
}

}  // namespace mmt::harden
