#include "agnostic/options.h"

#include <cstdlib>
#include <cstring>

namespace mmt::agnostic {
namespace {

// Groups of protocols, which their rows in CMakeLists.txt name behind TAKES.
constexpr const char* kPreparing = "preparing";
constexpr const char* kQueueing = "queueing";
constexpr const char* kAsking = "asking";
constexpr const char* kAll = "";

constexpr OptionInfo kOptions[] = {
    {"base", kPreparing, "blocks a bucket holds for a request of 0 bytes", &Options::base, 1, 65536,
     nullptr},
    {"slope", kPreparing, "blocks more for each byte of the request", &Options::slope, 0, 1024,
     nullptr},
    {"most", kPreparing, "MiB for which a process's buckets have room; 0: no limit", &Options::most,
     0, 65536, nullptr},
    {"largest", kPreparing, "bytes of the largest request that has a bucket", &Options::largest, 8,
     1024, nullptr},
    {"learn", kPreparing, "requests of a size before its first bucket is prepared", &Options::learn,
     0, 1000000000, nullptr},
    {"refill", kPreparing, "when the next bucket is prepared: as one is handed over, or half used",
     nullptr, 0, 1, "at-once|at-half"},
    {"buckets", kPreparing, "a bucket for each size that is asked for, or that the library makes",
     nullptr, 0, 1, "request|chunk"},
    {"queue", kQueueing, "freed blocks that are handed over at a time", &Options::queue, 1, 65536,
     nullptr},
    {"depth", "recycle-shared", "blocks at the end of the queue that serve the next request",
     &Options::depth, 1, 64, nullptr},
    {"lock", "main-alloc-pthread", "what a thread does that finds a lock taken", nullptr, 0, 1,
     "sleeping|spinning"},
    {"model", "sync", "whether free waits for its own end, or that of the free before", nullptr, 0,
     1, "client-server|fork-join"},
    {"library", kAsking, "whether the library bears several threads at a time", nullptr, 0, 1,
     "thread-safe|single-threaded"},
    {"start", kAsking, "bytes allocated before the memory thread is started", &Options::start, 0,
     1 << 30, nullptr},
    {"patience", kAsking, "milliseconds that a thread waits for an answer or a lock",
     &Options::patience, 1, 600000, nullptr},
    {"ahead", "mmt", "MiB that are made resident ahead of the program, at most; 0: none",
     &Options::ahead, 0, 1024, nullptr},
    {"huge", "mmt", "MiB that a heap has grown by before huge pages are tried; 0: never",
     &Options::huge, 0, 1 << 20, nullptr},
    {"pad", "mmt", "MiB that the heap's end lies ahead of its use; 0: as the library has it",
     &Options::pad, 0, 1024, nullptr},
    {"starve", kAll, "milliseconds that the thread sleeps after its first round (for tests)",
     &Options::starve, 0, 60000, nullptr},
};

bool is_word(const char* word, const char* text, uint32_t length) {
  return std::strlen(word) == length && std::memcmp(word, text, length) == 0;
}

// Which of "a|b" it is; 2: none.
uint32_t choice(const char* choices, const char* value, uint32_t length) {
  const char* const bar = std::strchr(choices, '|');
  const auto first = static_cast<uint32_t>(bar - choices);
  if (first == length && std::memcmp(choices, value, length) == 0) return 0;
  return is_word(bar + 1, value, length) ? 1 : 2;
}

bool number(const char* value, uint32_t length, uint32_t least, uint32_t most, uint32_t* result) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < length; ++i) {
    if (value[i] < '0' || value[i] > '9' || i == 10) return false;
    sum = sum * 10 + static_cast<uint64_t>(value[i] - '0');
  }
  if (length == 0 || sum < least || sum > most) return false;
  *result = static_cast<uint32_t>(sum);
  return true;
}

}  // namespace

constinit Options options;

const OptionInfo* option_table(uint32_t* count) {
  *count = sizeof kOptions / sizeof kOptions[0];
  return kOptions;
}

bool set_option(const OptionInfo& info, const char* value, uint32_t length, Options* to) {
  if (info.number != nullptr)
    return number(value, length, info.least, info.most, &(to->*info.number));
  const uint32_t chosen = choice(info.choices, value, length);
  if (chosen > 1) return false;
  if (std::strcmp(info.name, "refill") == 0) to->refill = static_cast<Refill>(chosen);
  if (std::strcmp(info.name, "buckets") == 0) to->buckets = static_cast<Buckets>(chosen);
  if (std::strcmp(info.name, "lock") == 0) to->lock = static_cast<LockWait>(chosen);
  if (std::strcmp(info.name, "model") == 0) to->model = static_cast<Model>(chosen);
  if (std::strcmp(info.name, "library") == 0) to->library = static_cast<LibraryKind>(chosen);
  return true;
}

void read_options() {
  const char* at = std::getenv("MMT_PROTOCOL_OPTIONS");
  while (at != nullptr && *at != '\0') {
    const char* const end = at + std::strcspn(at, ",");
    const char* const equals = at + std::strcspn(at, "=,");
    for (const OptionInfo& info : kOptions) {
      if (equals == end || !is_word(info.name, at, static_cast<uint32_t>(equals - at))) continue;
      set_option(info, equals + 1, static_cast<uint32_t>(end - equals - 1), &options);
    }
    at = *end == ',' ? end + 1 : nullptr;
  }
}

}  // namespace mmt::agnostic
