// A list of constraints or variables, a heap block a link. Taken from at the front; added to at
// either end.
#pragma once

#include <cstddef>

namespace mmt::workloads::classic::deltablue {

template <typename T>
class List {
 public:
  struct Link {
    T* item;
    Link* next;
  };

  List() = default;
  ~List() {
    while (!empty()) take_first();
  }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  bool empty() const { return first_ == nullptr; }
  const Link* first() const { return first_; }

  void add_first(T* item) {
    first_ = new Link{item, first_};
    if (last_ == nullptr) last_ = first_;
  }
  void add_last(T* item) {
    Link* link = new Link{item, nullptr};
    (last_ == nullptr ? first_ : last_->next) = link;
    last_ = link;
  }
  T* take_first() {
    Link* link = first_;
    T* item = link->item;
    first_ = link->next;
    if (first_ == nullptr) last_ = nullptr;
    delete link;
    return item;
  }
  // The first link to the item; there is one.
  void remove(T* item) {
    Link* before = nullptr;
    Link* link = first_;
    for (; link->item != item; link = link->next) before = link;
    (before == nullptr ? first_ : before->next) = link->next;
    if (last_ == link) last_ = before;
    delete link;
  }

 private:
  Link* first_ = nullptr;
  Link* last_ = nullptr;
};

}  // namespace mmt::workloads::classic::deltablue
