// free leaves errno alone (POSIX 2024), also where a system call within it fails.
#pragma once

#include <cerrno>

namespace mmt::core {

// errno is at the end of the scope what it was at the beginning.
class KeptErrno {
 public:
  KeptErrno() : value_(errno) {}
  ~KeptErrno() { errno = value_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int value_;
};

}  // namespace mmt::core
