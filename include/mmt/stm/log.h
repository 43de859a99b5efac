// A growing array of a thread's own, emptied at each attempt without giving its memory back. It
// throws nothing: growing may fail, and the attempt then ends.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include <mmt/core/compiler.h>
#include <mmt/stm/options.h>

namespace mmt::stm {

template <class T>
class Log {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Log(const Supply& supply) : supply_(supply) {}
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() {
    if (begin_ != nullptr) supply_.free(begin_);
  }

  T* begin() { return begin_; }
  T* end() { return end_; }
  const T* begin() const { return begin_; }
  const T* end() const { return end_; }
  bool empty() const { return begin_ == end_; }
  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  T& operator[](size_t i) { return begin_[i]; }
  const T& operator[](size_t i) const { return begin_[i]; }
  T& back() { return end_[-1]; }

  void clear() { end_ = begin_; }
  // An empty log, closed: it has no room until it is opened. So one question serves for "full" and
  // for "not kept".
  void open(bool on) { limit_ = on ? full_ : begin_; }
  void shrink(size_t size) { end_ = begin_ + size; }

  bool has_room() const { return end_ != limit_; }
  // Room for one more, so that the next push succeeds. Not closed. False: no memory, and nothing
  // has changed.
  bool reserve() { return MMT_LIKELY(has_room()) || grow(); }
  MMT_ALWAYS_INLINE bool push(const T& value) {
    if (!reserve()) return false;
    push_reserved(value);
    return true;
  }
  MMT_ALWAYS_INLINE void push_reserved(const T& value) { *end_++ = value; }

 private:
  MMT_NOINLINE bool grow() {
    const size_t used = size();
    const size_t more = used == 0 ? 64 : used * 2;
    T* const bigger = static_cast<T*>(supply_.allocate(more * sizeof(T)));
    if (bigger == nullptr) return false;
    if (used != 0) std::memcpy(static_cast<void*>(bigger), begin_, used * sizeof(T));
    if (begin_ != nullptr) supply_.free(begin_);
    begin_ = bigger;
    end_ = bigger + used;
    full_ = limit_ = bigger + more;
    return true;
  }

  T* begin_ = nullptr;
  T* end_ = nullptr;
  T* limit_ = nullptr;  // full_, or begin_ where it is closed
  T* full_ = nullptr;
  const Supply& supply_;
};

}  // namespace mmt::stm
