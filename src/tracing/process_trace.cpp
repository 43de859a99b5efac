#include "tracing/process_trace.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <mmt/core/compiler.h>

namespace mmt::tracing {

using trace::Record;
using trace::RecordKind;
using trace::Seen;
using tracefile::Event;
using tracefile::Kind;

std::shared_ptr<const Inheritance> ProcessTrace::bequeath(const std::string& program) {
  // It may be a child that has done nothing yet.
  if (inherited_ != nullptr) {
    auto passed_on = std::make_shared<Inheritance>(*inherited_);
    passed_on->parent = process_;
    passed_on->program = program;
    return passed_on;
  }
  auto left = std::make_shared<Inheritance>();
  if (left_ == nullptr) {
    std::vector<LiveObject> all = live_.all();
    std::sort(all.begin(), all.end(), [](const LiveObject& one, const LiveObject& other) {
      return one.object < other.object;
    });
    left_ = std::make_shared<const std::vector<LiveObject>>(std::move(all));
  }
  left->objects = left_;
  left->sites = sites_.modules_alone();
  left->parent = process_;
  left->program = program;
  return left;
}

void ProcessTrace::open(const std::string& path, const tracefile::Header& header) {
  path_ = path;
  program_ = header.program;
  try {
    writer_ = std::make_unique<tracefile::Writer>(path, header);
  } catch (const std::runtime_error& error) {
    failure_ = error.what();
  }
  if (inherited_ == nullptr) return;
  sites_ = inherited_->sites.modules_alone();
  for (LiveObject one : *inherited_->objects) {
    one.object = ++newest_ & kMostObjects;
    live_.insert(one);
    write({.kind = Kind::kAllocate,
           .alignment = static_cast<std::uint8_t>(one.alignment),
           .object = one.object,
           .bytes = one.bytes});
  }
  write({.kind = Kind::kPhase});
  inherited_ = nullptr;
}

MMT_ALWAYS_INLINE void ProcessTrace::write(const Event& event, std::uint64_t ns) {
  if (MMT_UNLIKELY(!failure_.empty())) return;
  try {
    writer_->add(event, ns);
  } catch (const std::runtime_error& error) {
    failure_ = error.what();
  }
}

void ProcessTrace::finish() {
  if (!failure_.empty()) return;
  try {
    writer_->finish();
  } catch (const std::runtime_error& error) {
    failure_ = error.what();
  }
}

std::size_t ProcessTrace::held_bytes() const {
  std::size_t bytes = live_.held_bytes() + sites_.held_bytes();
  if (inherited_ != nullptr) {
    const auto& objects = inherited_->objects;
    bytes += objects->size() * sizeof(LiveObject) / static_cast<std::size_t>(objects.use_count());
  }
  return bytes;
}

void ProcessTrace::fail(const std::string& why) {
  if (writer_ != nullptr) finish();
  if (failure_.empty()) failure_ = why;
}

MMT_ALWAYS_INLINE void ProcessTrace::add(ThreadState& thread, Event event, std::uint64_t ns) {
  if (!thread.number) {
    thread.number = threads_++;
    write({.kind = Kind::kThreadStart, .thread = *thread.number}, ns);
  }
  event.thread = *thread.number;
  write(event, ns);
}

void ProcessTrace::end_thread(ThreadState& thread, std::uint64_t ns) {
  if (thread.number) add(thread, {.kind = Kind::kThreadEnd}, ns);
}

std::uint32_t ProcessTrace::site_of(const Seen& record) {
  if (record.site == 0 || !failure_.empty()) return 0;
  return sites_.number(record.site, process_, name_, *writer_);
}

// Its address is given out anew, so it has gone, by ways that nobody has seen.
MMT_COLD void ProcessTrace::end_unfreed(ThreadState& thread, tracefile::Object object,
                                        std::uint64_t ns) {
  ++counts_.unfreed;
  add(thread, {.kind = Kind::kFree, .object = object}, ns);
}

MMT_ALWAYS_INLINE void ProcessTrace::allocate(ThreadState& thread, const LiveObject& block,
                                              bool zeroed, std::uint32_t site, std::uint64_t ns) {
  LiveObject born = block;
  born.object = (newest_ + 1) & kMostObjects;
  if (LiveObject* const there = live_.find_or_insert(born); MMT_UNLIKELY(there != nullptr)) {
    // One of an allocator's functions may call another that is recorded, too: it is one block.
    if (there->object == thread.last_born) return;
    end_unfreed(thread, there->object, ns);
    *there = born;
  }
  ++newest_;
  thread.last_born = born.object;
  add(thread,
      {.kind = Kind::kAllocate,
       .zeroed = zeroed,
       .alignment = static_cast<std::uint8_t>(block.alignment),
       .site = site,
       .object = born.object,
       .bytes = block.bytes},
      ns);
}

void ProcessTrace::end_resize(ThreadState& thread, const Seen& record, std::uint64_t address,
                              std::uint64_t ns) {
  LiveObject block;
  if (!thread.moving.empty()) {
    const ThreadState::Moving last = thread.moving.back();
    thread.moving.pop_back();
    if (last.is_inner) return;
    block = last.from;
  }
  if (address == 0) {
    if (block.object == 0) return;
    // realloc to nothing is free; else it has failed, and the block is where it was.
    if (record.bytes == 0) {
      add(thread, {.kind = Kind::kFree, .object = block.object}, ns);
    } else {
      live_.insert(block);
    }
    return;
  }
  const std::uint32_t site = site_of(record);
  if (block.object == 0) {
    allocate(thread, {.address = address, .bytes = record.bytes}, false, site, ns);
    return;
  }
  block.address = address;
  block.bytes = record.bytes;
  block.alignment = 0;
  if (LiveObject* const there = live_.find_or_insert(block)) {
    end_unfreed(thread, there->object, ns);
    *there = block;
  }
  add(thread, {.kind = Kind::kResize, .site = site, .object = block.object, .bytes = block.bytes},
      ns);
}

void ProcessTrace::apply(ThreadState& thread, const Seen& record, std::uint64_t ns) {
  if (MMT_UNLIKELY(left_ != nullptr)) left_ = nullptr;
  const RecordKind kind = record.kind();
  const std::uint64_t address = record.address();
  if (kind == RecordKind::kAllocate || kind == RecordKind::kAllocateZeroed) {
    allocate(
        thread,
        {.address = address, .bytes = record.bytes, .alignment = Record::alignment_of(record.what)},
        kind == RecordKind::kAllocateZeroed, site_of(record), ns);
    return;
  }
  thread.last_born = 0;
  if (kind == RecordKind::kResizeEnd) {
    end_resize(thread, record, address, ns);
    return;
  }
  if (MMT_UNLIKELY(thread.moving.size() >= ThreadState::kMostMoving)) {
    thread.moving.erase(thread.moving.begin(), thread.moving.end() - ThreadState::kMostMoving / 2);
  }
  LiveObject* const there = live_.find(address);
  if (there == nullptr && kind == RecordKind::kResizeBegin && thread.is_moving(address)) {
    thread.moving.push_back({LiveObject{.address = address}, true});
    return;
  }
  if (there == nullptr) ++counts_.unknown;
  if (kind == RecordKind::kResizeBegin) {
    thread.moving.push_back({there != nullptr ? *there : LiveObject{.address = address}});
  } else if (there != nullptr) {
    add(thread, {.kind = Kind::kFree, .object = there->object}, ns);
  }
  if (there != nullptr) live_.erase(there);
}

}  // namespace mmt::tracing
