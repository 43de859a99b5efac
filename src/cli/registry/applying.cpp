#include "cli/registry/applying.h"

#include <utility>

#include <fmt/format.h>

#include "cli/registry/heaps.h"
#include "cli/registry/options.h"
#include "command/failure.h"
#include "interprocess/run_folder.h"

namespace mmt::cli {

using command::Failure;

namespace {

bool is_of_native_heap(const Setting& setting) {
  const OptionInfo* const option = find_library_option(setting.name);
  return option != nullptr && (option->owner == kNativeHeap || option->owner == kHardenedHeap);
}

}  // namespace

Applying applying_to_others(const std::vector<Setting>& given, std::string_view choice,
                            int status) {
  Applying sorted;
  for (const Setting& one : given) {
    if (!is_of_native_heap(one)) {
      sorted.settings.push_back(one);
    } else if (one.source.starts_with("-")) {
      throw Failure(status, fmt::format("{} is an option of the native heap, not of '{}'",
                                        place_of(one), choice));
    } else {
      sorted.ignored.push_back(one);
    }
  }
  for (Setting& one : environment_in_vain(status)) sorted.ignored.push_back(std::move(one));
  return sorted;
}

std::vector<Setting> environment_in_vain(int status) {
  std::vector<Setting> all;
  for (Setting& one : environment_settings(status)) {
    // This one comes from an outer `mmt run --stats`, and nobody wrote it.
    const bool is_told = one.name == "stats" && observe::is_page_folder(one.value);
    if (is_of_native_heap(one) && !is_told) all.push_back(std::move(one));
  }
  return all;
}

std::string place_of(const Setting& setting) {
  const bool has_own =
      setting.source.starts_with("--") || setting.source == variable_of(setting.name);
  return has_own ? setting.source : fmt::format("{} of {}", setting.name, setting.source);
}

}  // namespace mmt::cli
