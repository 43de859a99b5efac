// The interface of Tx without any transaction: for the sequential version of a program, written
// once as a template on its transaction. allocate() gives null where there is no memory, and
// create() throws std::bad_alloc; retry() throws std::logic_error. It is one thread's.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <mmt/stm/tx.h>

namespace mmt::stm {

class PlainTx {
 public:
  template <Value T>
  MMT_ALWAYS_INLINE std::remove_cv_t<T> read(const T& at) {
    return at;
  }
  template <Value T>
  MMT_ALWAYS_INLINE void write(T& at, std::type_identity_t<T> value) {
    at = value;
  }
  [[nodiscard]] void* allocate(size_t bytes) { return std::malloc(bytes); }
  void free(void* block, size_t /*bytes*/ = 0) { std::free(block); }
  template <class T, class... Arguments>
  T* create(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>, "an abort frees it without its destructor");
    void* const block = allocate(sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    try {
      return ::new (block) T(std::forward<Arguments>(arguments)...);
    } catch (...) {
      std::free(block);
      throw;
    }
  }
  template <class T>
  void destroy(T* object) {
    static_assert(std::is_trivially_destructible_v<T>, "it is freed without its destructor");
    free(object, sizeof(T));
  }
  // Nobody else changes what was read, and nothing written can be taken back: as in an irrevocable
  // transaction.
  [[noreturn]] void retry() { throw std::logic_error("mmt::stm: retry without transactions"); }
  void become_irrevocable() {}
  bool irrevocable() const { return true; }
};

}  // namespace mmt::stm
