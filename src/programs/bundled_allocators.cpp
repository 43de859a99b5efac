#include "programs/bundled_allocators.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string_view>

namespace mmt::programs {
namespace {

// Beginnings of their own messages, and what the Go linker writes in front of its code. Spelt in
// two parts: this file's program shall not be taken for one that has them.
constexpr std::array<std::array<std::string_view, 3>, 4> kMarks{
    {{"<jemal", "loc>: ", "jemalloc"},
     {"mimalloc: ", "warning: ", "mimalloc"},
     {"tcmalloc: ", "large alloc ", "tcmalloc"},
     {"\xff Go build", " ID: \"", "Go"}}};

}  // namespace

std::vector<std::string> bundled_allocators(const std::string& path) {
  std::vector<std::string> found;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
    if (file >= 0) ::close(file);
    return found;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  ::close(file);
  if (bytes == MAP_FAILED) return found;
  for (const auto& [first, second, name] : kMarks) {
    const std::string mark = std::string(first).append(second);
    if (::memmem(bytes, size, mark.data(), mark.size()) != nullptr) found.emplace_back(name);
  }
  ::munmap(bytes, size);
  return found;
}

}  // namespace mmt::programs
