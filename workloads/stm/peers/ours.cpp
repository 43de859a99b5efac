// Our transactional memory, and no transactions at all.
#include <mmt/stm/atomically.h>
#include <mmt/stm/plain_tx.h>

#include "stm/peers/measure.h"

namespace mmt::workloads::stm {

namespace {

class OursWorker {
 public:
  explicit OursWorker(mmt::stm::Memory& memory) : thread_(memory) {}
  template <class Body>
  auto run(Body&& body) {
    return mmt::stm::atomically(thread_, body);
  }

 private:
  mmt::stm::Thread thread_;
};

struct BareWorker {
  template <class Body>
  auto run(Body&& body) {
    mmt::stm::PlainTx tx;
    return body(tx);
  }
};

}  // namespace

double measure_ours(const Round& round) {
  // As libitm does: what a commit frees is reused when nobody can be reading it.
  mmt::stm::Options options;
  options.reclamation = mmt::stm::Reclamation::kQuiesce;
  options.safe_privatization = true;
  mmt::stm::Memory memory(options);
  return seconds_of(round, [&] { return OursWorker(memory); });
}

double measure_plain(const Round& round) {
  return seconds_of(round, [] { return BareWorker(); });
}

}  // namespace mmt::workloads::stm
