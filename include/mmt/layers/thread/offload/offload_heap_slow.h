// The slow paths of OffloadHeap, included by offload_heap.h alone, at its end.
// This is a part of a source, which does not compile alone.
#pragma once

namespace mmt::layers {

template <class Threads, class Tag, class Super>
OffloadHeap<Threads, Tag, Super>::~OffloadHeap() {
  if (id_.load(std::memory_order_relaxed) == 0) return;
  if (role_.state() != role_.kNotStarted) server_.stop();
  threads_.join();
  if (has_key_) ::pthread_key_delete(key_);
  for (uint32_t i = 0; i < clients_.count(); ++i) {
    OffloadClient* client = clients_.at(i);
    if (client == nullptr) continue;
    server_.empty(Hold(depot_, Threads::self()), *client);
    client->release_memory();
    layers::MmapHeap().free(client);
  }
}

// --- clients ---

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::open() {
  // Acquire: what was opened is seen; partner of the store below.
  if (MMT_LIKELY(id_.load(std::memory_order_acquire) != 0)) return;
  const Hold hold(depot_, Threads::self());
  if (id_.load(std::memory_order_relaxed) != 0) return;
  depot_.open();
  Threads::adopt_process();
  has_key_ = ::pthread_key_create(&key_, end_thread) == 0;
  id_.store(last_id_.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_release);
}

template <class Threads, class Tag, class Super>
OffloadClient* OffloadHeap<Threads, Tag, Super>::attach() {
  open();
  const uint64_t id = id_.load(std::memory_order_relaxed);
  if (mine_.heap == id && mine_.has_ended) return nullptr;
  OffloadClient* client = any_client();
  mine_ = {id, client, false};
  if (client != nullptr && has_key_) ::pthread_setspecific(key_, this);
  return client;
}

template <class Threads, class Tag, class Super>
OffloadClient* OffloadHeap<Threads, Tag, Super>::any_client() {
  for (uint32_t i = 0; i < clients_.count(); ++i) {
    OffloadClient* client = clients_.at(i);
    if (client != nullptr && (client->lease().adopt() || client->lease().claim())) return client;
  }
  uint32_t number;
  if (!clients_.reserve(&number)) return nullptr;
  void* memory = layers::MmapHeap().allocate(sizeof(OffloadClient), alignof(OffloadClient)).data;
  if (memory == nullptr) return nullptr;
  auto* client = ::new (memory) OffloadClient;
  client->lease().claim_new();
  clients_.add(number, client);
  return client;
}

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::leave() {
  OffloadClient* client = mine();
  if (client == nullptr) return;
  mine_.client = nullptr;
  mine_.has_ended = true;
  client->surplus().publish_held();
  if (role_.is_running()) {
    client->lease().leave();
    server_.notify();
    return;
  }
  client->lease().leave_to_self();
  {
    const Hold hold(depot_, Threads::self());
    server_.empty(hold, *client);
  }
  client->lease().end_reclaim();
}

// --- allocation ---

template <class Threads, class Tag, class Super>
void* OffloadHeap<Threads, Tag, Super>::malloc_slow(size_t bytes) {
  if (bytes > layers::kMaxRequest) return nullptr;
  if (bytes <= SizeTable::kLargest) {
    OffloadClient* client = mine();
    if (client == nullptr) client = attach();
    if (client != nullptr) return refill(*client, depot_.table().class_of(bytes));
    const Hold hold(depot_, Threads::self());
    return depot_.take(depot_.table().class_of(bytes));
  }
  open();
  {
    const Hold hold(depot_, Threads::self(), 1000, 20);
    if (hold.held()) return depot_.take_large(bytes);
  }
  if (void* block = depot_.reserve().allocate(bytes)) return block;
  const Hold hold(depot_, Threads::self());
  return depot_.take_large(bytes);
}

template <class Threads, class Tag, class Super>
void* OffloadHeap<Threads, Tag, Super>::refill(OffloadClient& client, uint32_t c) {
  Magazine& magazine = client.magazine(c);
  if (!magazine.is_empty()) return magazine.pop();  // a thread that has just got its client
  if (!magazine.is_open() && !client.open_class(c)) {
    const Hold hold(depot_, Threads::self());
    return depot_.take(c);
  }
  SupplyBox& box = *client.box(c);
  void* block;
  if (box.is_full()) {
    magazine.added(box.take_all(magazine.bottom()));
    block = magazine.pop();
  } else {
    block = refill_from_depot(client, c);
    if (block == nullptr) return nullptr;
  }
  start_if_due(OffloadClient::batch_for(c) * SizeTable::lower_bound(c));
  if (role_.is_running() && client.is_steady(c)) {
    client.ask_for(c);
    server_.notify();
  }
  return block;
}

template <class Threads, class Tag, class Super>
void* OffloadHeap<Threads, Tag, Super>::refill_from_depot(OffloadClient& client, uint32_t c) {
  Magazine& magazine = client.magazine(c);
  const uint32_t wanted = client.next_batch(c);
  void* blocks[SupplyBox::kMost];
  uint32_t count = 0;
  {
    const Hold hold(depot_, Threads::self(), 200, 0);
    while (hold.held() && count < wanted) {
      blocks[count] = depot_.take(c);
      if (blocks[count] == nullptr) break;
      ++count;
    }
    if (hold.held() && count == 0) return nullptr;
  }
  if (count == 0) {
    if (void* block = depot_.reserve().allocate(SizeTable::lower_bound(c))) return block;
    const Hold hold(depot_, Threads::self());
    return depot_.take(c);
  }
  // What was taken first is handed out first.
  for (uint32_t i = count; i-- > 0;) magazine.push(blocks[i]);
  return magazine.pop();
}

// --- what is freed ---

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::free_slow(void* block) {
  const size_t size = get_size(block);
  OffloadClient* client = mine();
  if (client == nullptr) client = attach();
  const uint32_t c = SizeTable::floor_class(size);
  if (client == nullptr || c >= SizeTable::kClasses) {
    const Hold hold(depot_, Threads::self());
    return depot_.give(block);
  }
  Magazine& magazine = client->magazine(c);
  if (magazine.is_full()) return overflow(*client, c, block);
  magazine.push(block);
}

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::overflow(OffloadClient& client, uint32_t c, void* block) {
  Magazine& magazine = client.magazine(c);
  const bool has_room = magazine.is_open() ? send_surplus(client, magazine) : client.open_class(c);
  if (MMT_LIKELY(has_room)) {
    magazine.push(block);
  } else {
    client.spilled().push(block);
  }
}

// Half of the magazine, those freed first. False: nobody takes them now.
template <class Threads, class Tag, class Super>
bool OffloadHeap<Threads, Tag, Super>::send_surplus(OffloadClient& client, Magazine& magazine) {
  const uint32_t count = magazine.count() / 2;
  void* const* oldest = magazine.oldest();
  auto& surplus = client.surplus();
  if (role_.is_running() && surplus.reserve(count)) {
    for (uint32_t i = 0; i < count; ++i) surplus.entry(i) = reinterpret_cast<uintptr_t>(oldest[i]);
    surplus.publish(count);
    server_.notify();
  } else {
    const Hold hold(depot_, Threads::self(), 200, 0);
    if (!hold.held()) return false;
    for (uint32_t i = 0; i < count; ++i) depot_.give(oldest[i]);
    server_.give_spilled(hold, client);
  }
  magazine.drop_oldest(count);
  return true;
}

template <class Threads, class Tag, class Super>
layers::Usage OffloadHeap<Threads, Tag, Super>::usage() requires requires(Super& super) {
  super.usage();
}
{
  OffloadClient* const own = mine();
  const Hold hold(depot_, Threads::self());
  // This thread's client counts to the byte; of others', which they go on using, blocks are counted
  // as large as their class.
  if (own != nullptr) server_.give_spilled(hold, *own);
  layers::Usage all = depot_.usage();
  const auto add = [&](size_t blocks, size_t bytes) {
    all.free_blocks += blocks;
    all.free_bytes += bytes;
  };
  const auto add_each = [&](void* const* blocks, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) add(1, depot_.taken_by(blocks[i]));
  };
  for (uint32_t i = 0; i < clients_.count(); ++i) {
    OffloadClient* client = clients_.at(i);
    if (client == nullptr) continue;
    for (uint32_t c = 1; c < SizeTable::kClasses; ++c) {
      const Magazine& magazine = client->magazine(c);
      const SupplyBox* box = client->box(c);
      const uint32_t in_box = box == nullptr ? 0 : box->count();
      if (client == own) {
        add_each(magazine.oldest(), magazine.count());
        if (box != nullptr) add_each(box->blocks(), in_box);
      } else {
        const uint32_t count = magazine.count() + in_box;
        add(count, count * (SizeTable::lower_bound(c) + DepotType::kBeside));
      }
    }
    auto& surplus = client->surplus();
    const uint32_t under_way = surplus.readable_now();
    for (uint32_t k = 0; k < under_way; ++k) {
      add(1, depot_.taken_by(reinterpret_cast<void*>(surplus.at(k))));
    }
  }
  return all;
}

// --- the memory thread ---

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::start_if_due(uint64_t bytes) {
  if (MMT_LIKELY(role_.state() != role_.kNotStarted)) return;
  // Relaxed: a sum, by which nothing is found.
  const uint64_t volume = volume_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (volume < Threads::kStartBytes || ErrandsOf<Threads>::Type::stays_away(volume)) return;
  if (!role_.claim_start()) return;
  if (!Threads::is_wanted()) return role_.stay_away();
  if (!threads_.start(serve, this)) role_.fail();
}

template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::serve(void* self) {
  auto* heap = static_cast<OffloadHeap*>(self);
  heap->role_.running();
  heap->server_.template run<Threads>();
  heap->role_.end();
}

// Other threads' clients stay as they were when the process was copied, maybe in the midst of
// something. What they hold is lost to the child.
template <class Threads, class Tag, class Super>
void OffloadHeap<Threads, Tag, Super>::after_fork_in_child() {
  Threads::forget_ids();
  depot_.lock().reset_in_child();
  server_.reset_in_child();
  threads_.reset_in_child();
  Threads::adopt_process();
  role_.reset_in_child();
  volume_.store(0, std::memory_order_relaxed);
}

}  // namespace mmt::layers
