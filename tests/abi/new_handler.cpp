// operator new calls the new-handler until it gives up: handlers that free memory, step down,
// throw, and the same from the nothrow and aligned forms.

#include <new>

#include "support/expect.h"

namespace {

constexpr size_t kImpossible = size_t{1} << 60;
int calls = 0;

void step_down_at_three() {
  if (++calls == 3) std::set_new_handler(nullptr);
}

struct Mine {};
void throw_mine() {
  ++calls;
  throw Mine{};
}
void throw_bad_alloc() {
  ++calls;
  throw std::bad_alloc{};
}

template <class Call>
void expect_three_calls(Call call) {
  calls = 0;
  std::set_new_handler(step_down_at_three);
  bool thrown = false;
  try {
    void* p = call();
    EXPECT(p == nullptr);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  EXPECT(calls == 3, "%d calls, thrown %d", calls, thrown);
}

}  // namespace

int main() {
  const std::align_val_t a{64};
  expect_three_calls([] { return operator new(kImpossible); });
  expect_three_calls([] { return operator new[](kImpossible); });
  expect_three_calls([=] { return operator new(kImpossible, a); });
  expect_three_calls([=] { return operator new[](kImpossible, a); });
  expect_three_calls([] { return operator new(kImpossible, std::nothrow); });
  expect_three_calls([] { return operator new[](kImpossible, std::nothrow); });
  expect_three_calls([=] { return operator new(kImpossible, a, std::nothrow); });
  expect_three_calls([=] { return operator new[](kImpossible, a, std::nothrow); });

  std::set_new_handler(throw_mine);
  calls = 0;
  bool caught = false;
  try {
    void* p = operator new(kImpossible);
    OPAQUE(p);
  } catch (const Mine&) {
    caught = true;
  }
  EXPECT(caught && calls == 1);

  std::set_new_handler(throw_bad_alloc);
  calls = 0;
  EXPECT(operator new(kImpossible, std::nothrow) == nullptr);
  EXPECT(calls == 1);

  // No handler is called when memory is there.
  calls = 0;
  operator delete(operator new(100));
  EXPECT(calls == 0);
  return 0;
}
