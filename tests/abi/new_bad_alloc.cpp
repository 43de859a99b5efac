// operator new throws std::bad_alloc when there is no memory; the nothrow forms return nullptr.

#include <initializer_list>
#include <new>

#include "support/expect.h"

namespace {

template <class Call>
bool throws(Call call) {
  try {
    void* p = call();
    OPAQUE(p);
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  }
}

}  // namespace

int main() {
  const std::align_val_t a{4096};
  for (size_t size : {size_t{1} << 60, SIZE_MAX / 2, SIZE_MAX - 4096, SIZE_MAX}) {
    EXPECT(throws([=] { return operator new(size); }), "size %zu", size);
    EXPECT(throws([=] { return operator new[](size); }), "size %zu", size);
    EXPECT(operator new(size, std::nothrow) == nullptr, "size %zu", size);
    EXPECT(operator new[](size, std::nothrow) == nullptr, "size %zu", size);
    // libstdc++ 12 rounds such a size up to the alignment, and over the end to 0.
    if (size > SIZE_MAX - 4096 && !under_mmt()) continue;
    EXPECT(throws([=] { return operator new(size, a); }), "size %zu", size);
    EXPECT(throws([=] { return operator new[](size, a); }), "size %zu", size);
    EXPECT(operator new(size, a, std::nothrow) == nullptr, "size %zu", size);
    EXPECT(operator new[](size, a, std::nothrow) == nullptr, "size %zu", size);
  }
  for (size_t wrong : {size_t{0}, size_t{3}, size_t{24}, SIZE_MAX}) {
    volatile size_t number = wrong;  // unknown to the compiler, which may take it for granted
    const std::align_val_t none{number};
    EXPECT(throws([=] { return operator new(100, none); }), "alignment %zu", wrong);
    EXPECT(throws([=] { return operator new[](100, none); }), "alignment %zu", wrong);
    EXPECT(operator new(100, none, std::nothrow) == nullptr, "alignment %zu", wrong);
  }
  // From deep inside a program: unwinding through frames with destructors.
  int destroyed = 0;
  struct Guard {
    int* count;
    ~Guard() { ++*count; }
  };
  EXPECT(throws([&] {
    Guard g{&destroyed};
    size_t n = size_t{1} << 61;
    OPAQUE(n);
    return static_cast<void*>(new char[n]);
  }));
  EXPECT(destroyed == 1);
  return 0;
}
