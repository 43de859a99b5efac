// A variable that only transactions touch: its type says so, where `tx.read(x)` relies on care.
// get() and set() may end the attempt by an exception, as tx.h says.
#pragma once

#include <mmt/stm/tx.h>

namespace mmt::stm {

template <Value T>
class tx_var {
 public:
  constexpr tx_var() = default;
  constexpr explicit tx_var(T value) : value_(value) {}
  tx_var(const tx_var&) = delete;
  tx_var& operator=(const tx_var&) = delete;

  template <class Transaction>
  T get(Transaction& tx) const {
    return tx.read(value_);
  }
  template <class Transaction>
  void set(Transaction& tx, T value) {
    tx.write(value_, value);
  }

  // It is called where no transaction can be at it.
  T unsafe_get() const { return value_; }
  void unsafe_set(T value) { value_ = value; }

 private:
  alignas(sizeof(T)) T value_{};
};

}  // namespace mmt::stm
