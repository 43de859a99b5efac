// Run under libmmt.so: several threads free blocks in transactions, a commit's as one batch; blocks
// are neither lost nor had twice.
#include <cstdio>
#include <thread>
#include <vector>

#include <mmt/stm/atomically.h>
#include <mmt/stm/process_supply.h>

using namespace mmt::stm;

int main() {
  Options options;
  options.supply = process_supply();
  if (options.supply.free_batch == nullptr) {
    std::fputs("the process's malloc takes no batches\n", stderr);
    return 1;
  }
  Memory memory(options);
  struct Node {
    Node(long v, Node* n) : value(v), next(n) {}
    long value;
    Node* next;
  };
  Node* stacks[4] = {};
  long sum = 0;
  const auto work = [&](int self) {
    Thread thread(memory);
    for (long round = 0; round < 2000; ++round) {
      Node*& stack = stacks[(round + self) % 4];
      atomically(thread, [&](Tx& tx) {
        for (long i = 0; i < 20; ++i) tx.write(stack, tx.create<Node>(i, tx.read(stack)));
      });
      atomically(thread, [&](Tx& tx) {
        long found = 0;
        while (Node* const top = tx.read(stack)) {
          found += tx.read(top->value);
          tx.write(stack, tx.read(top->next));
          tx.destroy(top);
        }
        tx.write(sum, tx.read(sum) + found);
      });
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  const Statistics seen = memory.statistics();
  const bool good = sum == 3L * 2000 * 190 && seen.batched == 3U * 2000 * 20 && seen.batches > 0;
  std::printf("sum %ld, %llu blocks in %llu batches\n", sum,
              static_cast<unsigned long long>(seen.batched),
              static_cast<unsigned long long>(seen.batches));
  return good ? 0 : 1;
}
