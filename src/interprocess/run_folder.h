#pragma once
// How the folder is called in which the processes of a run keep their statistics pages:
// PARENT/mmt-stats-XXXXXX/TOLD/ (stats_page.h).
#include <string_view>

#include "interprocess/stats_page.h"

namespace mmt::observe {

// Whether a value of the option `stats` is the folder of an outer `mmt run --stats`.
inline bool is_page_folder(std::string_view path) {
  if (path.size() < 2 || path.back() != '/') return false;
  path.remove_suffix(1);
  const std::size_t told = path.rfind('/');
  if (told == std::string_view::npos || path.size() - told - 1 != kToldBytes) return false;
  const std::string_view run = path.substr(0, told);
  const std::size_t name = run.rfind('/');
  return name != std::string_view::npos && run.substr(name + 1).starts_with(kRunFolderPrefix);
}

}  // namespace mmt::observe
