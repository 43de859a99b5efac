// mmt-replay-real: replays a trace by the malloc that the process has, which LD_PRELOAD chooses,
// and tells what that took: one JSON object on standard output. The trace comes on standard input
// (flat_trace.h); the objects' addresses go to the file that is named, if one is.
//
// Nothing else here allocates: tables are mapped before, and their pages are not counted. Each page
// of an object is written to once, as a program would. Memory is looked at between parts of the
// trace, where more is live than before, and at the trace's peak. That takes none of the time that
// is told. It is linked to libc alone: the C++ library would allocate before main().
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "sim/real/flat_trace.h"

namespace {

using mmt::sim::FlatEvent;
using mmt::sim::FlatHeader;

constexpr size_t kPage = 4096;
constexpr uint8_t kMallocAlignment = 4;  // log2

struct Block {
  char* at;
  uint64_t bytes;
};

[[noreturn]] void fail(const char* what) {
  dprintf(STDERR_FILENO, "mmt-replay-real: %s\n", what);
  _exit(1);
}

// Whole, but for the end of the input.
size_t read_all(void* to, size_t bytes) {
  size_t got = 0;
  while (got < bytes) {
    const ssize_t part = read(STDIN_FILENO, static_cast<char*>(to) + got, bytes - got);
    if (part < 0) fail("cannot read the trace");
    if (part == 0) break;
    got += static_cast<size_t>(part);
  }
  return got;
}

// Bytes that are resident and of no file, as code is. This walks the page tables. The file
// /proc/self/status counts in batches of pages, which small heaps are no larger than.
uint64_t resident() {
  static char text[4096];
  const int file = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return 0;
  text[got] = '\0';
  uint64_t kilobytes = 0;
  for (const char* const name : {"\nAnonymous:", "\nPss_Shmem:"}) {
    const char* const found = strstr(text, name);
    if (found != nullptr) kilobytes += strtoull(found + strlen(name), nullptr, 10);
  }
  return kilobytes * 1024;
}

double seconds(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Times {
  double wall = 0;
  double cpu = 0;
};
Times now() { return {seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID)}; }

// The most that was resident. A look takes as long as hundreds of events. So a new maximum of live
// bytes is looked at only when it is larger by a part of the last one and some pages.
class ResidentPeak {
 public:
  void begin() { most_ = before_ = resident(); }
  void look_between_parts() {
    if (const uint64_t found = resident(); found > most_) most_ = found;
  }
  void look() {
    const Times start = now();
    look_between_parts();
    const Times end = now();
    spent_.wall += end.wall - start.wall;
    spent_.cpu += end.cpu - start.cpu;
  }
  void look_if_more(uint64_t live) {
    if (live < next_) return;
    next_ = live + live / 64 + 16 * kPage;
    look();
  }
  uint64_t grown() const { return most_ - before_; }
  // By looks within a part.
  const Times& spent() const { return spent_; }

 private:
  uint64_t before_ = 0;
  uint64_t most_ = 0;
  uint64_t next_ = 16 * kPage;
  Times spent_;
};

class AddressFile {
 public:
  void open_at(const char* path) {
    if (path == nullptr) return;
    file_ = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail("cannot write the file of addresses");
  }
  bool is_wanted() const { return file_ >= 0; }
  void add(uint64_t event, const Block& block) {
    if (used_ > sizeof text_ - 80) flush();
    used_ += static_cast<size_t>(
        snprintf(text_ + used_, 80, "%llu %llu %llu\n", static_cast<unsigned long long>(event),
                 static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(block.at)),
                 static_cast<unsigned long long>(block.bytes)));
  }
  void flush() {
    for (size_t done = 0; done < used_;) {
      const ssize_t part = write(file_, text_ + done, used_ - done);
      if (part < 0) fail("cannot write the file of addresses");
      done += static_cast<size_t>(part);
    }
    used_ = 0;
  }

 private:
  int file_ = -1;
  size_t used_ = 0;
  char text_[1 << 16];
};

AddressFile file;
AddressFile* addresses;  // nullptr: nobody wants them
Block* blocks;
uint64_t failures;
uint64_t live_bytes;

void touch(const Block& block, uint64_t from) {
  for (uint64_t at = from; at < block.bytes; at += kPage) block.at[at] = 1;
  if (block.bytes > from) block.at[block.bytes - 1] = 1;
}

void allocate(const FlatEvent& event) {
  Block& block = blocks[event.row];
  block.bytes = event.bytes;
  if (event.alignment <= kMallocAlignment) {
    block.at = static_cast<char*>(malloc(event.bytes));
  } else {
    void* at = nullptr;
    if (posix_memalign(&at, size_t{1} << event.alignment, event.bytes) != 0) at = nullptr;
    block.at = static_cast<char*>(at);
  }
  if (block.at == nullptr) {
    ++failures;
    block.bytes = 0;
    return;
  }
  live_bytes += block.bytes;
  touch(block, 0);
}

void resize(const FlatEvent& event) {
  Block& block = blocks[event.row];
  void* const at = realloc(block.at, event.bytes == 0 ? 1 : event.bytes);
  if (at == nullptr) {
    ++failures;
    return;
  }
  const uint64_t before = block.bytes;
  live_bytes += event.bytes - before;
  block = {static_cast<char*>(at), event.bytes};
  touch(block, before);
}

void replay(const FlatEvent& event) {
  switch (event.op) {
    case 0:
      return allocate(event);
    case 1:
      free(blocks[event.row].at);
      live_bytes -= blocks[event.row].bytes;
      blocks[event.row] = {};
      return;
    case 2:
      return resize(event);
    default:
      return;
  }
}

void* map_populated(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) fail("no memory for its tables");
  return memory;
}

bool is_of_this_layout(const FlatHeader& header) {
  constexpr FlatHeader kOurs;
  return header.magic == kOurs.magic && header.header_bytes == kOurs.header_bytes &&
         header.event_bytes == kOurs.event_bytes;
}

// Tables are as long as the header says: of a file no longer than its events.
void check(const FlatHeader& header) {
  struct stat status;
  const bool is_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  const uint64_t bytes = is_file ? static_cast<uint64_t>(status.st_size) : UINT64_MAX;
  const bool has_events = header.events <= (bytes - sizeof header) / sizeof(FlatEvent);
  if (header.rows > header.events || !has_events) fail("the trace's header is wrong");
}

void check(const FlatEvent* events, size_t count, uint64_t rows) {
  for (size_t i = 0; i < count; ++i) {
    if (events[i].row >= rows && events[i].op <= 2) fail("an object of the trace has no row");
  }
}

}  // namespace

int main(int count, char** words) {
  file.open_at(count > 1 ? words[1] : nullptr);
  if (file.is_wanted()) addresses = &file;
  FlatHeader header;
  if (read_all(&header, sizeof header) != sizeof header || !is_of_this_layout(header)) {
    fail("the input is no trace of 'mmt-replay-models --flat'");
  }
  check(header);
  constexpr size_t kPart = 1 << 16;
  auto* const events = static_cast<FlatEvent*>(map_populated(kPart * sizeof(FlatEvent)));
  blocks = static_cast<Block*>(map_populated((header.rows + 1) * sizeof(Block)));
  ResidentPeak peak;
  peak.begin();
  rusage before;
  getrusage(RUSAGE_SELF, &before);
  Times taken;
  uint64_t done = 0;
  while (const size_t got = read_all(events, kPart * sizeof(FlatEvent))) {
    const size_t part = got / sizeof(FlatEvent);
    check(events, part, header.rows);
    const Times start = now();
    for (size_t i = 0; i < part; ++i) {
      replay(events[i]);
      peak.look_if_more(live_bytes);
      if (done + i == header.peak_event) peak.look();
      if (addresses != nullptr && (events[i].op == 0 || events[i].op == 2)) {
        addresses->add(done + i, blocks[events[i].row]);
      }
    }
    const Times end = now();
    taken.wall += end.wall - start.wall;
    taken.cpu += end.cpu - start.cpu;
    done += part;
    peak.look_between_parts();
  }
  if (done != header.events) fail("the trace ends early");
  if (addresses != nullptr) addresses->flush();
  rusage after;
  getrusage(RUSAGE_SELF, &after);
  printf(
      "{\"events\":%llu,\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"peak_rss\":%llu,"
      "\"minor_faults\":%ld,\"major_faults\":%ld,\"failed\":%llu}\n",
      static_cast<unsigned long long>(done), taken.wall - peak.spent().wall,
      taken.cpu - peak.spent().cpu, static_cast<unsigned long long>(peak.grown()),
      after.ru_minflt - before.ru_minflt, after.ru_majflt - before.ru_majflt,
      static_cast<unsigned long long>(failures));
}
