// Calls of the OS contract for memory that fail as long as this lives. For programs that have the
// Fake double (src/sys/fake/pages.cpp).
#pragma once

#include <cstdint>
#include <initializer_list>

#include "sys/fake/faults.h"

namespace mmt::test {

class RefusedCalls {
 public:
  RefusedCalls(std::initializer_list<sys::fake::Call> calls) {
    uint32_t refused = 0;
    for (const sys::fake::Call call : calls) refused |= 1u << static_cast<unsigned>(call);
    faults_.arm({.refused = refused});
    sys::fake::use(&faults_);
  }
  ~RefusedCalls() { sys::fake::use(nullptr); }
  RefusedCalls(const RefusedCalls&) = delete;
  RefusedCalls& operator=(const RefusedCalls&) = delete;

  // How many were refused so far.
  uint32_t count(sys::fake::Call call) const { return faults_.failed(call); }

 private:
  sys::fake::Faults faults_{};
};

}  // namespace mmt::test
