// intruder: flows of packets are captured, put together and searched for known words. Transactions:
// take a packet, add it to its flow, take a whole flow. The text of a flow is then private, and is
// freed by a plain call. The check: every flow comes out once; every attack that was made is found,
// and nothing else.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "stm/common/list.h"
#include "stm/common/queue.h"
#include "stm/common/rb_tree.h"
#include "stm/common/vector.h"
#include "stm/common/world.h"
#include "stm/stamp/result.h"

namespace mmt::workloads::stm::intruder {

struct Parameters {
  uint64_t attacks;  // percent
  uint64_t longest;  // characters of a flow
  uint64_t flows;
  uint32_t seed;
};

inline Parameters parameters_of(Size size) {
  return by_size<Parameters>(size, {10, 4, 2038, 1}, {10, 64, 8192, 1}, {10, 64, 16384, 1},
                             {10, 128, 262144, 1});
}

// Frequent English words of three letters and more: those that are an attack. The paper tells how
// many there are, and its counts how long they are together; which ones they are is a choice.
inline constexpr const char* kWords[] = {
    "about", "after", "all",   "also",   "and",  "any",   "back",  "because", "but",
    "can",   "come",  "could", "day",    "even", "first", "for",   "from",    "get",
    "give",  "good",  "have",  "him",    "how",  "into",  "its",   "just",    "know",
    "like",  "look",  "make",  "most",   "new",  "not",   "now",   "one",     "only",
    "other", "out",   "over",  "people", "say",  "see",   "she",   "some",    "take",
    "than",  "that",  "their", "them",   "then", "there", "these", "they",    "think",
    "this",  "time",  "two",   "use",    "want", "way",   "well",  "what",    "when",
    "which", "who",   "will",  "with",   "work", "would", "year",  "your"};

inline void to_lower(char* text) {
  for (; *text != '\0'; ++text) *text = static_cast<char>(std::tolower(*text));
}

// What a text goes through before it is searched.
struct Step {
  void (*apply)(char* text);
};
inline constexpr Step kToLower{to_lower};

// One thread's: the words, and the steps.
struct Detector {
  Vector* words;
  Vector* steps;
};
static_assert(sizeof(Detector) == 16);

inline Detector* detector_create() {
  Plain plain;
  Detector* const detector = static_cast<Detector*>(plain_allocate(sizeof(Detector)));
  *detector = {vector_create(plain, std::size(kWords)), vector_create(plain, 1)};
  for (const char* word : kWords) vector_push(plain, detector->words, const_cast<char*>(word));
  vector_push(plain, detector->steps, const_cast<Step*>(&kToLower));
  return detector;
}

inline void detector_destroy(Detector* detector) {
  Plain plain;
  vector_destroy(plain, detector->words);
  vector_destroy(plain, detector->steps);
  plain_free(detector);
}

// Changes the text.
inline bool is_attack(const Detector& detector, char* text) {
  for (size_t i = 0; i < detector.steps->size; ++i) {
    static_cast<const Step*>(detector.steps->elements[i])->apply(text);
  }
  for (size_t i = 0; i < detector.words->size; ++i) {
    if (std::strstr(text, static_cast<const char*>(detector.words->elements[i])) != nullptr) {
      return true;
    }
  }
  return false;
}

struct Packet {
  uint64_t flow;
  uint64_t number;
  uint64_t of;  // packets of the flow
  uint64_t length;
  char* text() { return reinterpret_cast<char*>(this + 1); }
};
static_assert(sizeof(Packet) == 32);

inline long compare_packets(const void* left, const void* right) {
  return static_cast<long>(static_cast<const Packet*>(left)->number) -
         static_cast<long>(static_cast<const Packet*>(right)->number);
}

struct Decoded {
  uint64_t flow;
  char* text;
};
static_assert(sizeof(Decoded) == 16);

struct Stream {
  Vector* all;      // packets
  Queue* queue;     // of them
  RbTree* attacks;  // by flow
  uint64_t count;   // of attacks
};
static_assert(sizeof(Stream) == 32);

inline void split(Random& random, uint64_t flow, std::string_view text, Vector* to) {
  Plain plain;
  const uint64_t count = random.below(text.size()) + 1;
  const uint64_t each = text.size() / count;
  for (uint64_t number = 0; number < count; ++number) {
    const std::string_view part =
        text.substr(number * each, number + 1 == count ? std::string_view::npos : each);
    Packet* const packet = static_cast<Packet*>(plain_allocate(sizeof(Packet) + part.size()));
    *packet = {flow, number, count, part.size()};
    std::memcpy(packet->text(), part.data(), part.size());
    vector_push(plain, to, packet);
  }
}

// A flow of its own: the text, and a copy that is searched.
inline bool add_random_flow(const Parameters& asked, Random& random, const Detector& detector,
                            uint64_t flow, Vector* to) {
  const size_t length = random.below(asked.longest) + 1;
  char* const text = static_cast<char*>(plain_allocate(length + 1));
  for (size_t i = 0; i < length; ++i) text[i] = static_cast<char>(' ' + random.below(95));
  text[length] = '\0';
  split(random, flow, {text, length}, to);
  char* const copy = static_cast<char*>(plain_allocate(length + 1));
  std::memcpy(copy, text, length + 1);
  const bool found = is_attack(detector, copy);
  plain_free(copy);
  plain_free(text);
  return found;
}

inline Stream* make_stream(const Parameters& asked) {
  Plain plain;
  Random random(asked.seed);
  Detector* const detector = detector_create();
  Stream* const stream = static_cast<Stream*>(plain_allocate(sizeof(Stream)));
  *stream = {vector_create(plain, 1), queue_create(plain, 2), rb_create(plain), 0};
  for (uint64_t flow = 1; flow <= asked.flows; ++flow) {
    bool attack = random.below(100) < asked.attacks;
    if (attack) {
      split(random, flow, kWords[random.below(std::size(kWords))], stream->all);
    } else {
      attack = add_random_flow(asked, random, *detector, flow, stream->all);
    }
    if (!attack) continue;
    rb_insert(plain, stream->attacks, flow, stream);
    ++stream->count;
  }
  detector_destroy(detector);
  std::vector<void*> order(stream->all->elements, stream->all->elements + stream->all->size);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  for (void* packet : order) queue_push(plain, stream->queue, packet);
  return stream;
}

inline void free_stream(Stream* stream) {
  Plain plain;
  for (size_t i = 0; i < stream->all->size; ++i) plain_free(stream->all->elements[i]);
  vector_destroy(plain, stream->all);
  queue_destroy(plain, stream->queue);
  rb_destroy(plain, stream->attacks);
  plain_free(stream);
}

struct Flows {
  RbTree* parts;   // by flow: the list of its packets so far
  Queue* decoded;  // whole flows
};
static_assert(sizeof(Flows) == 16);

// What a thread came upon.
struct Found {
  uint64_t flows = 0;             // whole ones, attacks or not
  std::vector<uint64_t> attacks;  // flows
};

// What all threads have.
struct Shared {
  Stream* stream;
  Flows* flows;
  Found** found;  // by thread
};

template <class Tx>
void decode(Tx& tx, const Flows& flows, Packet* packet) {
  uint64_t length = packet->length;
  List* list = nullptr;
  if (packet->of > 1) {
    list = static_cast<List*>(rb_find(tx, flows.parts, packet->flow));
    if (list == nullptr) {
      list = list_create(tx, compare_packets);
      rb_insert(tx, flows.parts, packet->flow, list);
    }
    list_insert(tx, list, packet);
    if (static_cast<uint64_t>(tx.read(list->size)) < packet->of) return;
    length = 0;
    for (const ListNode* node = tx.read(list->head.next); node != nullptr;
         node = tx.read(node->next)) {
      length += static_cast<Packet*>(tx.read(node->data))->length;
    }
  }
  // Its own until the commit: plain stores will do.
  char* const text = static_cast<char*>(tx.allocate(length + 1));
  char* at = text;
  const auto append = [&](Packet* part) {
    std::memcpy(at, part->text(), part->length);
    at += part->length;
  };
  if (list == nullptr) {
    append(packet);
  } else {
    for (const ListNode* node = tx.read(list->head.next); node != nullptr;
         node = tx.read(node->next)) {
      append(static_cast<Packet*>(tx.read(node->data)));
    }
    list_destroy(tx, list);
    rb_remove(tx, flows.parts, packet->flow);
  }
  *at = '\0';
  Decoded* const whole = static_cast<Decoded*>(tx.allocate(sizeof(Decoded)));
  *whole = {packet->flow, text};
  queue_push(tx, flows.decoded, whole);
}

// Without a text: there is none.
template <class Tx>
Decoded take_decoded(Tx& tx, const Flows& flows) {
  Decoded* const whole = static_cast<Decoded*>(queue_pop(tx, flows.decoded));
  if (whole == nullptr) return {0, nullptr};
  const Decoded taken{tx.read(whole->flow), tx.read(whole->text)};
  tx.free(whole, sizeof(Decoded));
  return taken;
}

template <class Worker>
void work(Worker& worker, const Shared& shared, unsigned number) {
  Detector* const detector = detector_create();
  Found found;
  for (;;) {
    Packet* const packet = static_cast<Packet*>(
        worker.run([&](auto& tx) { return queue_pop(tx, shared.stream->queue); }));
    if (packet == nullptr) break;
    worker.run([&](auto& tx) { decode(tx, *shared.flows, packet); });
    const Decoded one = worker.run([&](auto& tx) { return take_decoded(tx, *shared.flows); });
    if (one.text == nullptr) continue;
    ++found.flows;
    if (is_attack(*detector, one.text)) found.attacks.push_back(one.flow);
    plain_free(one.text);
  }
  detector_destroy(detector);
  *shared.found[number] = std::move(found);
}

// Each flow came out, and the attacks among them are those that were made.
inline bool is_right(const Stream& stream, uint64_t flows, Found found) {
  std::vector<uint64_t> made;
  rb_visit(stream.attacks->root, [&](const RbNode& node) { made.push_back(node.key); });
  std::sort(found.attacks.begin(), found.attacks.end());
  return found.flows == flows && made.size() == stream.count && found.attacks == made;
}

template <class World>
Result run(World& world, Size size) {
  Plain plain;
  Shared* const shared = static_cast<Shared*>(plain_allocate(sizeof(Shared)));
  const Parameters asked = parameters_of(size);
  std::vector<Found> found(world.threads());
  *shared = {make_stream(asked), static_cast<Flows*>(plain_allocate(sizeof(Flows))),
             static_cast<Found**>(plain_allocate(world.threads() * sizeof(Found*)))};
  for (unsigned number = 0; number < world.threads(); ++number) {
    shared->found[number] = &found[number];
  }
  *shared->flows = {rb_create(plain),
                    queue_create(plain, by_size<size_t>(size, 1 << 11, 1 << 13, 1 << 14, 1 << 18))};
  Stopwatch clock;
  world.parallel([&](auto& worker, unsigned number) { work(worker, *shared, number); });
  Result result;
  result.seconds = clock.lap();
  Found all;
  for (const Found& one : found) {
    all.flows += one.flows;
    all.attacks.insert(all.attacks.end(), one.attacks.begin(), one.attacks.end());
  }
  const Stream& stream = *shared->stream;
  result.right = is_right(stream, asked.flows, all) && shared->flows->parts->root == nullptr &&
                 shared->flows->decoded->count == 0;
  result.numbers = {
      {"attacks", stream.count}, {"found", all.attacks.size()}, {"packets", stream.all->size}};
  free_stream(shared->stream);
  queue_destroy(plain, shared->flows->decoded);
  rb_destroy(plain, shared->flows->parts);
  plain_free(shared->flows);
  plain_free(shared->found);
  plain_free(shared);
  return result;
}

}  // namespace mmt::workloads::stm::intruder
