#include "checker/memory.h"

#include <cstdio>
#include <cstdlib>

namespace mmt::model {
namespace {

constexpr Time kGap = 1 << 16;

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void Memory::reset(int threads) {
  for (int i = 0; i < used_; ++i) histories_[i].clear();
  used_ = 0;
  fences_ = {};
  futex_floor_ = {};
  for (int i = 0; i < threads; ++i) {
    threads_[i] = {};
    threads_[i].current.clock.at[i] = 1;
  }
}

int Memory::add_location(uint64_t initial) {
  if (used_ == kMaxLocations) {
    std::fputs("model: too many locations\n", stderr);
    std::abort();
  }
  StoreEvent first;
  first.value = initial;
  first.id = static_cast<StoreId>(0xff00 + used_);
  histories_[used_].push_back(first);
  return used_++;
}

size_t Memory::index_of(int location, StoreId id) const {
  const auto& history = histories_[location];
  for (size_t i = history.size(); i-- > 0;) {
    if (history[i].id == id) return i;
  }
  std::fputs("model: a schedule was not repeatable\n", stderr);
  std::abort();
}

const StoreEvent& Memory::find(int location, StoreId id) const {
  return histories_[location][index_of(location, id)];
}

void Memory::readable(int thread, int location, Time from, std::vector<StoreId>* out) const {
  const Time seen = threads_[thread].current.seen.at[location];
  if (from < seen) from = seen;
  const auto& history = histories_[location];
  for (size_t i = history.size(); i-- > 0 && history[i].time >= from;)
    out->push_back(history[i].id);
}

bool Memory::can_modify(int location, StoreId id) const {
  const size_t next = index_of(location, id) + 1;
  return next == histories_[location].size() || !histories_[location][next].reads_previous;
}

void Memory::placeable(int thread, int location, std::vector<StoreId>* out) const {
  const Time seen = threads_[thread].current.seen.at[location];
  const auto& history = histories_[location];
  for (size_t i = history.size(); i-- > 0 && history[i].time >= seen;) {
    if (i + 1 == history.size() || !history[i + 1].reads_previous) out->push_back(history[i].id);
  }
}

uint64_t Memory::load(int thread, int location, StoreId from, std::memory_order order) {
  const StoreEvent& store = find(location, from);
  ThreadState& t = threads_[thread];
  Time& seen = t.current.seen.at[location];
  if (seen < store.time) seen = store.time;
  if (acquires(order)) t.current.join(store.released);
  t.acquirable.join(store.released);
  return store.value;
}

void Memory::insert(int thread, int location, size_t after, uint64_t value, bool modify,
                    const View& released) {
  auto& history = histories_[location];
  StoreEvent event;
  event.value = value;
  event.reads_previous = modify;
  event.id = (static_cast<StoreId>(thread + 1) << 16) + threads_[thread].stores++;
  event.released = released;
  const Time before = history[after].time;
  if (after + 1 == history.size()) {
    event.time = before + kGap;
  } else {
    event.time = before + (history[after + 1].time - before) / 2;
    if (event.time == before) {
      std::fputs("model: too many stores between two others\n", stderr);
      std::abort();
    }
  }
  event.released.seen.at[location] = event.time;
  threads_[thread].current.seen.at[location] = event.time;
  history.insert(history.begin() + static_cast<std::ptrdiff_t>(after + 1), event);
}

void Memory::store(int thread, int location, StoreId after, uint64_t value,
                   std::memory_order order) {
  ThreadState& t = threads_[thread];
  const bool release = releases(order);
  insert(thread, location, index_of(location, after), value, false, release ? t.current : t.fenced);
  if (release) ++t.current.clock.at[thread];
}

void Memory::modify(int thread, int location, StoreId from, uint64_t value,
                    std::memory_order order) {
  load(thread, location, from, order);
  ThreadState& t = threads_[thread];
  const size_t index = index_of(location, from);
  const bool release = releases(order);
  View released = release ? t.current : t.fenced;
  released.join(histories_[location][index].released);  // a release sequence goes on
  insert(thread, location, index, value, true, released);
  if (release) ++t.current.clock.at[thread];
}

void Memory::fence(int thread, std::memory_order order) {
  ThreadState& t = threads_[thread];
  if (acquires(order)) t.current.join(t.acquirable);
  if (order == std::memory_order_seq_cst) {
    t.current.seen.join(fences_);
    fences_ = t.current.seen;
  }
  if (releases(order)) {
    t.fenced = t.current;
    ++t.current.clock.at[thread];
  }
}

void Memory::hand_over(int from, int to) {
  threads_[to].current.join(threads_[from].current);
  ++threads_[from].current.clock.at[from];
}

void Memory::see_everything(int thread) {
  View& view = threads_[thread].current;
  for (int i = 0; i < used_; ++i) {
    view.join(newest(i).released);
    view.seen.at[i] = newest(i).time;
  }
}

void Memory::futex_woken(int thread, int location) {
  Time& floor = futex_floor_.at[location];
  const Time seen = threads_[thread].current.seen.at[location];
  if (floor < seen) floor = seen;
}

}  // namespace mmt::model
