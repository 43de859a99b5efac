// The free runs of pages in order of address; neighbours have been merged. One thread may use it.
#pragma once

#include <cstddef>

#include <mmt/layers/general/phk/page_run.h>

namespace mmt::layers {

class FreeRuns {
 public:
  FreeRuns() = default;
  FreeRuns(const FreeRuns&) = delete;
  FreeRuns& operator=(const FreeRuns&) = delete;

  PageRun* first() const { return first_; }
  PageRun* last() const { return last_; }

  // The one at the lowest address that has so many pages; null: none has.
  PageRun* first_fit(size_t pages) const {
    PageRun* run = first_;
    while (run != nullptr && run->pages < pages) run = run->next;
    return run;
  }

  void insert(PageRun* run) {
    // Most are freed near the end.
    PageRun* before = last_;
    while (before != nullptr && before->begin > run->begin) before = before->prev;
    insert_after(before, run);
  }
  // Null: it becomes the first.
  void insert_after(PageRun* before, PageRun* run) {
    run->prev = before;
    run->next = before != nullptr ? before->next : first_;
    (before != nullptr ? before->next : first_) = run;
    (run->next != nullptr ? run->next->prev : last_) = run;
  }
  void remove(PageRun* run) {
    (run->prev != nullptr ? run->prev->next : first_) = run->next;
    (run->next != nullptr ? run->next->prev : last_) = run->prev;
  }
  void forget() { first_ = last_ = nullptr; }

 private:
  PageRun* first_ = nullptr;
  PageRun* last_ = nullptr;
};

}  // namespace mmt::layers
