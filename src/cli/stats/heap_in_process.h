// Which library of MMT's serves malloc in a process, told from outside.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "programs/process_maps.h"

namespace mmt::cli {

struct HeapInProcess {
  std::string library;  // as the kernel names its file
  std::string name;     // "native heap", "heap lea", "protocol sync over glibc"
  bool is_native = false;

  // The file has been replaced or removed since: the process keeps what it has until it ends.
  bool is_outdated() const;
};

// By the files mapped into it; nullopt: none of MMT's.
std::optional<HeapInProcess> heap_in_process(pid_t process,
                                             const std::vector<programs::MappedFile>& files);

}  // namespace mmt::cli
