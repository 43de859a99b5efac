#include "java/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace mmt::java {

namespace {

class Locked {
 public:
  explicit Locked(pthread_mutex_t& lock) : lock_(lock) { pthread_mutex_lock(&lock_); }
  ~Locked() { pthread_mutex_unlock(&lock_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  pthread_mutex_t& lock_;
};

}  // namespace

void Pipe::open(int descriptor) {
  const Locked locked(lock_);
  descriptor_ = descriptor;
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  batch_.head = {kMagic, static_cast<uint32_t>(::getpid()), 0};
}

uint64_t Pipe::allocate(uint32_t thread, uint64_t bytes) {
  const Locked locked(lock_);
  // Numbered and appended under one lock: in the pipe numbers go up by one.
  append({RecordKind::kAllocate, thread, ++objects_, bytes});
  return objects_;
}

void Pipe::add(RecordKind kind, uint32_t thread, uint64_t number) {
  const Locked locked(lock_);
  append({kind, thread, number, 0});
}

void Pipe::close(uint32_t thread) {
  const Locked locked(lock_);
  append({RecordKind::kEnd, thread, 0, 0});
  write_batch();
  descriptor_ = -1;
}

void Pipe::append(const Record& record) {
  batch_.records[batch_.head.records++] = record;
  if (batch_.head.records == kBatch) write_batch();
}

// A pipe takes a batch whole or not at all: it is no longer than PIPE_BUF.
void Pipe::write_batch() {
  const size_t bytes = sizeof(BatchHead) + batch_.head.records * sizeof(Record);
  while (descriptor_ >= 0 && ::write(descriptor_, &batch_, bytes) < 0) {
    if (errno != EINTR) descriptor_ = -1;  // nobody reads any more: the program goes on
  }
  batch_.head.records = 0;
}

}  // namespace mmt::java
