// intruder: flows of packets are captured, put together and searched for known words. Transactions:
// take a packet, add it to its flow, take a whole flow. The text of a flow is then private, and is
// freed by a plain call. The check: every attack that was made is found, and nothing else.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "stm/common/list.h"
#include "stm/common/queue.h"
#include "stm/common/rb_tree.h"
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
  return by_size<Parameters>(size, {10, 4, 2038, 1}, {10, 64, 16384, 1}, {10, 128, 262144, 1});
}

// Frequent English words of three letters and more: those that are an attack.
inline constexpr std::string_view kWords[] = {
    "about", "after", "all",   "also",   "and",  "any",   "back",  "because", "but",
    "can",   "come",  "could", "day",    "even", "first", "for",   "from",    "get",
    "give",  "good",  "have",  "him",    "how",  "into",  "its",   "just",    "know",
    "like",  "look",  "make",  "most",   "new",  "not",   "now",   "one",     "only",
    "other", "out",   "over",  "people", "say",  "see",   "she",   "some",    "take",
    "than",  "that",  "their", "them",   "then", "there", "these", "they",    "think",
    "this",  "time",  "two",   "use",    "want", "way",   "well",  "what",    "when",
    "which", "who",   "will",  "with",   "work", "would", "year",  "your"};

inline bool is_attack(std::string_view text) {
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

inline void to_lower(char* text) {
  for (; *text != '\0'; ++text) *text = static_cast<char>(std::tolower(*text));
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

struct Input {
  std::vector<Packet*> all;
  Queue* queue;
  uint64_t attacks = 0;
};

inline void split(Random& random, uint64_t flow, std::string_view text, std::vector<Packet*>* to) {
  const uint64_t count = random.below(text.size()) + 1;
  const uint64_t each = text.size() / count;
  for (uint64_t number = 0; number < count; ++number) {
    const std::string_view part =
        text.substr(number * each, number + 1 == count ? std::string_view::npos : each);
    Packet* const packet = static_cast<Packet*>(plain_allocate(sizeof(Packet) + part.size()));
    *packet = {flow, number, count, part.size()};
    std::memcpy(packet->text(), part.data(), part.size());
    to->push_back(packet);
  }
}

inline Input make_input(const Parameters& asked) {
  Random random(asked.seed);
  Input input;
  for (uint64_t flow = 1; flow <= asked.flows; ++flow) {
    if (random.below(100) < asked.attacks) {
      split(random, flow, kWords[random.below(std::size(kWords))], &input.all);
      ++input.attacks;
      continue;
    }
    std::string text(random.below(asked.longest) + 1, ' ');
    for (char& one : text) one = static_cast<char>(' ' + random.below(95));
    split(random, flow, text, &input.all);
    to_lower(text.data());
    if (is_attack(text)) ++input.attacks;
  }
  std::vector<Packet*> order = input.all;
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  Plain plain;
  input.queue = queue_create(plain, 1);
  for (Packet* packet : order) queue_push(plain, input.queue, packet);
  return input;
}

struct Flows {
  RbTree* parts;   // by flow: the list of its packets so far
  Queue* decoded;  // whole flows
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

template <class Tx>
char* take_decoded(Tx& tx, const Flows& flows) {
  Decoded* const whole = static_cast<Decoded*>(queue_pop(tx, flows.decoded));
  if (whole == nullptr) return nullptr;
  char* const text = tx.read(whole->text);
  tx.free(whole, sizeof(Decoded));
  return text;
}

// How many attacks this thread found.
template <class Worker>
uint64_t work(Worker& worker, const Input& input, const Flows& flows) {
  uint64_t found = 0;
  for (;;) {
    Packet* const packet =
        static_cast<Packet*>(worker.run([&](auto& tx) { return queue_pop(tx, input.queue); }));
    if (packet == nullptr) return found;
    worker.run([&](auto& tx) { decode(tx, flows, packet); });
    char* const text = worker.run([&](auto& tx) { return take_decoded(tx, flows); });
    if (text == nullptr) continue;
    to_lower(text);
    if (is_attack(text)) ++found;
    plain_free(text);
  }
}

template <class World>
Result run(World& world, Size size) {
  Input input = make_input(parameters_of(size));
  Plain plain;
  const Flows flows{rb_create(plain),
                    queue_create(plain, by_size<size_t>(size, 1 << 11, 1 << 14, 1 << 18))};
  std::vector<uint64_t> found(world.threads());
  Stopwatch clock;
  world.parallel(
      [&](auto& worker, unsigned number) { found[number] = work(worker, input, flows); });
  Result result;
  result.seconds = clock.lap();
  uint64_t sum = 0;
  for (uint64_t one : found) sum += one;
  result.right = sum == input.attacks && flows.parts->root == nullptr && flows.decoded->count == 0;
  result.numbers = {{"attacks", input.attacks}, {"found", sum}, {"packets", input.all.size()}};
  for (Packet* packet : input.all) plain_free(packet);
  queue_destroy(plain, input.queue);
  queue_destroy(plain, flows.decoded);
  rb_destroy(plain, flows.parts);
  return result;
}

}  // namespace mmt::workloads::stm::intruder
