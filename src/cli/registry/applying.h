// Which options apply to a run that is not on the native heap: those of the table that are not its
// own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/registry/settings.h"

namespace mmt::cli {

struct Applying {
  std::vector<Setting> settings;
  std::vector<Setting> ignored;  // of files and of the environment
};

// `given` by files and flags, and the environment beside it. What a flag asks in vain is a Failure
// with `status`; `choice` is the flag that chose another heap, "--heap lea".
Applying applying_to_others(const std::vector<Setting>& given, std::string_view choice, int status);

// Options of the native heap that the environment sets, for what runs on no such heap.
std::vector<Setting> environment_in_vain(int status);

// Where it was written, for messages: "MMT_DECAY", "decay of ./mmt.toml".
std::string place_of(const Setting& setting);

}  // namespace mmt::cli
