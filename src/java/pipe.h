// The agent's end of the pipe: numbers objects and writes records in one order. All threads.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "java/record.h"

namespace mmt::java {

class Pipe {
 public:
  // `descriptor` stays open for this process alone: what it starts does not hold it.
  void open(int descriptor);

  // The number of the new object.
  uint64_t allocate(uint32_t thread, uint64_t bytes);
  void add(RecordKind kind, uint32_t thread, uint64_t number = 0);
  // Writes the last batch with kEnd in it. What comes later is dropped.
  void close(uint32_t thread);

 private:
  void append(const Record& record);
  void write_batch();

  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  int descriptor_ = -1;  // -1: nobody reads, or all was said
  uint64_t objects_ = 0;
  struct {
    BatchHead head;
    Record records[kBatch];
  } batch_ = {};
};

}  // namespace mmt::java
