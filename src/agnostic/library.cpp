#include "agnostic/library.h"

#include <dlfcn.h>

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace mmt::agnostic {
namespace {

const void* object_of(const void* address) {
  Dl_info found;
  return ::dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

// The next definition of a name, where it is the library's: with several allocators loaded, one may
// lack a name that a later one has.
template <class Function>
Function* find(const char* name, Function* other) {
  void* const own = ::dlsym(RTLD_NEXT, name);
  if (own == nullptr) return other;
  void* const allocator = ::dlsym(RTLD_NEXT, "malloc");
  return object_of(own) == object_of(allocator) ? reinterpret_cast<Function*>(own) : other;
}

void* no_memory(size_t) {
  errno = ENOMEM;
  return nullptr;
}
void no_free(void*) {}
size_t no_size(void*) { return 0; }
int no_trim(size_t) { return 0; }
int no_parameter(int, int) { return 0; }
struct mallinfo2 no_info() {
  return {};
}
int no_print(int, FILE*) { return ENOSYS; }
void no_stats() {}

// What the standard says of them, by the calls that every allocator has.
void* plain_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory(0);
  void* block = library.malloc(bytes);
  return block == nullptr ? nullptr : std::memset(block, 0, bytes);
}
void* no_realloc(void*, size_t) { return no_memory(0); }
void* aligned_by_posix(size_t alignment, size_t bytes) {
  static int (*function)(void**, size_t, size_t);
  if (function == nullptr) function = find<int(void**, size_t, size_t)>("posix_memalign", nullptr);
  void* block = nullptr;
  if (function == nullptr || alignment > SIZE_MAX / 2) return no_memory(0);
  alignment = std::bit_ceil(alignment < sizeof(void*) ? sizeof(void*) : alignment);
  return function(&block, alignment, bytes) == 0 ? block : no_memory(0);
}

// Each stands for its function until the first call.
void* first_malloc(size_t bytes) { return (library.malloc = find("malloc", no_memory))(bytes); }
void first_free(void* block) { (library.free = find("free", no_free))(block); }
void* first_calloc(size_t count, size_t size) {
  return (library.calloc = find("calloc", plain_calloc))(count, size);
}
void* first_realloc(void* block, size_t bytes) {
  return (library.realloc = find("realloc", no_realloc))(block, bytes);
}
void* first_memalign(size_t alignment, size_t bytes) {
  return (library.memalign = find("memalign", aligned_by_posix))(alignment, bytes);
}
size_t first_usable_size(void* block) {
  return (library.usable_size = find("malloc_usable_size", no_size))(block);
}
int first_trim(size_t pad) { return (library.trim = find("malloc_trim", no_trim))(pad); }
int first_parameter(int parameter, int value) {
  return (library.set_parameter = find("mallopt", no_parameter))(parameter, value);
}
struct mallinfo2 first_info() {
  return (library.info = find("mallinfo2", no_info))();
}
int first_print(int options, FILE* stream) {
  return (library.print_info = find("malloc_info", no_print))(options, stream);
}
void first_stats() { (library.print_stats = find("malloc_stats", no_stats))(); }

}  // namespace

constinit Library library = {first_malloc,   first_free,        first_calloc, first_realloc,
                             first_memalign, first_usable_size, first_trim,   first_parameter,
                             first_info,     first_print,       first_stats};

}  // namespace mmt::agnostic
