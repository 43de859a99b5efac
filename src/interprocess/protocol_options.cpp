#include "interprocess/protocol_options.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace mmt::backend {
namespace {

using mmt::options::field;
using mmt::options::Kind;
using mmt::options::Row;
using mmt::options::Table;
using mmt::options::Value;

// Groups of protocols, which their rows in CMakeLists.txt name behind TAKES.
constexpr const char* kPreparing = "preparing";
constexpr const char* kQueueing = "queueing";
constexpr const char* kAsking = "asking";
constexpr const char* kAll = "";

constexpr Row kRows[] = {
    {"base", kPreparing, Kind::kCount, nullptr, "1..65536",
     field(offsetof(Options, base), sizeof(Options::base)),
     "blocks a bucket holds for a request of 0 bytes"},
    {"slope", kPreparing, Kind::kCount, nullptr, "0..1024",
     field(offsetof(Options, slope), sizeof(Options::slope)),
     "blocks more for each byte of the request"},
    {"most", kPreparing, Kind::kCount, nullptr, "0..65536",
     field(offsetof(Options, most), sizeof(Options::most)),
     "MiB for which a process's buckets have room; 0: no limit"},
    {"largest", kPreparing, Kind::kBytes, nullptr, "8..1024",
     field(offsetof(Options, largest), sizeof(Options::largest)),
     "bytes of the largest request that has a bucket"},
    {"learn", kPreparing, Kind::kCount, nullptr, "0..1000000000",
     field(offsetof(Options, learn), sizeof(Options::learn)),
     "requests of a size before its first bucket is prepared"},
    {"refill", kPreparing, Kind::kChoice, nullptr, "at-once|at-half",
     field(offsetof(Options, refill), sizeof(Options::refill)),
     "when the next bucket is prepared: as one is handed over, or half used"},
    {"buckets", kPreparing, Kind::kChoice, nullptr, "request|chunk",
     field(offsetof(Options, buckets), sizeof(Options::buckets)),
     "a bucket for each size that is asked for, or that the library makes"},
    {"queue", kQueueing, Kind::kCount, nullptr, "1..65536",
     field(offsetof(Options, queue), sizeof(Options::queue)),
     "freed blocks that are handed over at a time"},
    {"depth", "recycle-shared", Kind::kCount, nullptr, "1..64",
     field(offsetof(Options, depth), sizeof(Options::depth)),
     "blocks at the end of the queue that serve the next request"},
    {"lock", "main-alloc-pthread", Kind::kChoice, nullptr, "sleeping|spinning",
     field(offsetof(Options, lock), sizeof(Options::lock)),
     "what a thread does that finds a lock taken"},
    {"model", "sync", Kind::kChoice, nullptr, "client-server|fork-join",
     field(offsetof(Options, model), sizeof(Options::model)),
     "whether free waits for its own end, or that of the free before"},
    {"library", kAsking, Kind::kChoice, nullptr, "thread-safe|single-threaded",
     field(offsetof(Options, library), sizeof(Options::library)),
     "whether the library bears several threads at a time"},
    {"start", kAsking, Kind::kBytes, nullptr, "0..1G",
     field(offsetof(Options, start), sizeof(Options::start)),
     "bytes allocated before the memory thread is started"},
    {"patience", kAsking, Kind::kMilliseconds, nullptr, "1..600000",
     field(offsetof(Options, patience), sizeof(Options::patience)),
     "milliseconds that a thread waits for an answer or a lock"},
    {"ahead", "mmt", Kind::kCount, nullptr, "0..1024",
     field(offsetof(Options, ahead), sizeof(Options::ahead)),
     "MiB that are made resident ahead of the program, at most; 0: none"},
    {"huge", "mmt", Kind::kCount, nullptr, "0..1048576",
     field(offsetof(Options, huge), sizeof(Options::huge)),
     "MiB that a heap has grown by before huge pages are tried; 0: never"},
    {"pad", "mmt", Kind::kCount, nullptr, "0..1024",
     field(offsetof(Options, pad), sizeof(Options::pad)),
     "MiB that the heap's end lies ahead of its use; 0: as the library has it"},
    {"starve", kAll, Kind::kMilliseconds, nullptr, "0..60000",
     field(offsetof(Options, starve), sizeof(Options::starve)),
     "milliseconds that the thread sleeps after its first round (for tests)"},
};
constexpr Table kTable{kRows, sizeof kRows / sizeof kRows[0]};

}  // namespace

constinit Options options;

Table option_table() { return kTable; }

void read_options() {
  const char* at = std::getenv("MMT_PROTOCOL_OPTIONS");
  while (at != nullptr && *at != '\0') {
    const size_t name = std::strcspn(at, "=,");
    const char* const value = at + name + (at[name] == '=');
    const size_t size = std::strcspn(value, ",");
    const Row* row = at[name] == '=' ? find(kTable, {at, name}) : nullptr;
    Value parsed{};
    if (row != nullptr && parse(*row, {value, size}, &parsed) == nullptr)
      row->field.store(&options, parsed);
    at = value + size;
    if (*at == ',') ++at;
  }
}

}  // namespace mmt::backend
