#include "backend/library.h"

#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <mmt/core/compiler.h>

#include "backend/next_break.h"
#include "interprocess/protocol_options.h"
#include "names/next.h"
#include "sys/loaded_object.h"

namespace mmt::backend {
namespace {

bool is_libc = false;
// The library's own code and data in memory; none where the library is libc's.
constinit sys::LoadedObject::Extent library_memory = {};
bool has_the_name = false;

void* no_memory(size_t) {
  errno = ENOMEM;
  return nullptr;
}
void no_free(void*) {}
size_t no_size(void*) { return 0; }
int no_trim(size_t) { return 0; }
int no_parameter(int, int) { return 1; }
struct mallinfo2 no_info() {
  return {};
}
int print_nothing(int options, FILE* stream) {
  if (options != 0) return EINVAL;
  const char* const document =
      "<malloc version=\"1\">\n<!-- this allocator tells nothing of itself -->\n</malloc>\n";
  return std::fputs(document, stream) < 0 ? EIO : 0;
}
void no_stats() {}

// What the standard says of them, by the calls that every allocator has.
void* plain_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory(0);
  void* block = library.malloc(bytes);
  return block == nullptr ? nullptr : std::memset(block, 0, bytes);
}
void* no_realloc(void*, size_t) { return no_memory(0); }
int (*posix_memalign_of_library)(void**, size_t, size_t);
void* aligned_by_posix(size_t alignment, size_t bytes) {
  void* block = nullptr;
  if (posix_memalign_of_library == nullptr || alignment > SIZE_MAX / 2) return no_memory(0);
  alignment = std::bit_ceil(alignment < sizeof(void*) ? sizeof(void*) : alignment);
  return posix_memalign_of_library(&block, alignment, bytes) == 0 ? block : no_memory(0);
}

// The next definition of a name, where it is the library's: with several allocators loaded, one may
// lack a name that a later one has.
template <class Function>
Function* find(const char* name, const sys::LoadedObject& object, Function* other) {
  void* const own = names::next_definition(name);
  return object.has(own) ? reinterpret_cast<Function*>(own) : other;
}

// Each stands for its function until the first call, which may come before the constructor.
void* first_malloc(size_t bytes) { return find_library(), library.malloc(bytes); }
void first_free(void* block) { find_library(), library.free(block); }
void* first_calloc(size_t count, size_t size) {
  return find_library(), library.calloc(count, size);
}
void* first_realloc(void* block, size_t bytes) {
  return find_library(), library.realloc(block, bytes);
}
void* first_memalign(size_t alignment, size_t bytes) {
  return find_library(), library.memalign(alignment, bytes);
}
size_t first_usable_size(void* block) { return find_library(), library.usable_size(block); }

__attribute__((constructor(101))) void on_load() { find_library(); }

}  // namespace

constinit Library library = {first_malloc,   first_free,        first_calloc, first_realloc,
                             first_memalign, first_usable_size, no_trim,      no_parameter,
                             no_info,        print_nothing,     no_stats};

// All is found at once, as neither dlsym nor a look at the loaded objects may come later. They take
// locks which a fork's child may find held, and which a caller's caller may hold. A thread may even
// be inside dlsym when it allocates, and libc keeps one record of errors for each thread. The
// functions that allocate are there before the first name that may be missing, whose error message
// libc allocates.
void find_library() {
  static bool is_begun = false;  // before there is a second thread
  if (MMT_LIKELY(is_begun)) return;
  is_begun = true;
  read_options();
  find_next_break();
  const sys::LoadedObject object = sys::object_of(names::next_definition("malloc"));
  library.malloc = find("malloc", object, no_memory);
  library.free = find("free", object, no_free);
  library.realloc = find("realloc", object, no_realloc);
  library.calloc = find("calloc", object, plain_calloc);
  posix_memalign_of_library = find<int(void**, size_t, size_t)>("posix_memalign", object, nullptr);
  library.memalign = find("memalign", object, aligned_by_posix);
  library.usable_size = find("malloc_usable_size", object, no_size);
  library.trim = find("malloc_trim", object, no_trim);
  library.set_parameter = find("mallopt", object, no_parameter);
  library.info = find("mallinfo2", object, no_info);
  library.print_info = find("malloc_info", object, print_nothing);
  library.print_stats = find("malloc_stats", object, no_stats);
  is_libc = object.is_libc();
  if (!is_libc && object.is_loaded()) library_memory = object.extent();
  has_the_name =
      sys::object_of(reinterpret_cast<void*>(::malloc)).has(reinterpret_cast<void*>(first_malloc));
}

bool library_is_libc() { return is_libc; }

bool is_of_library(const void* code) {
  const auto address = reinterpret_cast<uintptr_t>(code);
  return address >= library_memory.begin && address < library_memory.end;
}

bool is_in_front() { return has_the_name; }

}  // namespace mmt::backend
