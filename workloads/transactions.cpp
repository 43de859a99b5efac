// transactions: a server of several threads under load. Each transaction allocates objects and
// frees all of them at its end, but for one that a session keeps until a later transaction of it.
// Metrics: transaction (ns of a thread's time).
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <vector>

#include "common/clock.h"
#include "common/flags.h"
#include "common/report.h"
#include "common/rng.h"
#include "common/table.h"

namespace {

using namespace mmt::workloads;

constexpr const char* kProgram = "transactions";
constexpr uint64_t kObjects = 60;  // of a transaction
// These are the sizes of the types that a server has: objects of the same few sizes come again and
// again.
constexpr uint64_t kSizes[] = {16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 320, 1024};

unsigned char* make(Rng& rng) {
  const uint64_t bytes = kSizes[rng.below(std::size(kSizes))];
  auto* object = static_cast<unsigned char*>(std::malloc(bytes));
  if (object == nullptr) std::abort();
  object[0] = object[bytes - 1] = static_cast<unsigned char>(bytes);
  return object;
}

void serve(uint64_t transactions, uint64_t sessions, uint64_t seed) {
  Rng rng(seed);
  Table<unsigned char*> kept(sessions);
  unsigned char* objects[kObjects];
  for (uint64_t number = 0; number < transactions; ++number) {
    for (unsigned char*& one : objects) one = make(rng);
    unsigned char*& session = kept[rng.below(sessions)];
    std::free(session);
    session = objects[kObjects / 2];
    objects[kObjects / 2] = nullptr;
    for (unsigned char* one : objects) std::free(one);
  }
  for (unsigned char* one : kept) std::free(one);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags(kProgram, argc, argv);
  const uint64_t threads = flags.number("threads", 2);
  const uint64_t transactions = flags.number("transactions", 8'000);  // of a thread
  const uint64_t sessions = flags.number("sessions", 5'000);          // of a thread
  flags.finish();
  require(threads > 0 && transactions > 0 && sessions > 0, kProgram, "0 of something is none");

  Stopwatch clock;
  std::vector<std::thread> servers;
  for (uint64_t number = 0; number < threads; ++number) {
    servers.emplace_back(serve, transactions, sessions, number + 1);
  }
  for (std::thread& one : servers) one.join();

  Report report(kProgram);
  report.add("transaction", 1e9 * clock.lap() / static_cast<double>(transactions), "ns");
  return report.finish();
}
