// What TraceHeap writes, and the faults that read_trace.py finds in it.
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include <mmt/layers/header/size_heap.h>
#include <mmt/layers/observe/debug_heap.h>
#include <mmt/layers/observe/trace_heap.h>
#include <mmt/layers/source/buffer_heap.h>
#include <mmt/layers/source/mapped_heap.h>
#include <mmt/layers/source/mmap_heap.h>
#include <mmt/layers/source/null_heap.h>

#include "unit/layers/place_names.h"
#include "unit/layers/random_mix.h"

namespace mmt::layers {
namespace {

struct Ignore {
  void operator()(const FaultReport&) const {}
};
// Wrong frees end in the DebugHeap below, which lets the program go on.
using Traced = Pipe<MmapHeap, Debug<Ignore>, Trace<>>;
using Plain = Pipe<BufferHeap<4096>, Size, Trace<false>>;

// What the reader beside this file finds in a trace.
std::string read_back(const MemoryFile& trace) {
  const std::string here = __FILE__;
  const std::string reader = here.substr(0, here.rfind('/')) + "/read_trace.py";
  std::string found;
  std::FILE* out = ::popen(("python3 '" + reader + "' " + trace.path() + " 2>&1").c_str(), "r");
  if (out == nullptr) return "cannot start the reader";
  char part[1024];
  while (const size_t n = std::fread(part, 1, sizeof part, out)) found.append(part, n);
  const int status = ::pclose(out);
  if (status != 0) found += "the reader's status is " + std::to_string(status);
  return found;
}

std::string number(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

}  // namespace

PLANTED(void* trace_allocates(Traced& heap, size_t bytes)) {
  void* block = heap.malloc(bytes);
  KEEP_FRAME();
  return block;
}
PLANTED(void trace_frees(Traced& heap, void* block)) {
  heap.free(block);
  KEEP_FRAME();
}
PLANTED(void trace_frees_wrongly(Traced& heap, void* block)) {
  heap.free(block);
  KEEP_FRAME();
}

namespace {

[[maybe_unused]] constinit Traced made_by_the_compiler;

TEST(TraceHeap, WritesEachOperation) {
  MemoryFile file;
  std::string expected = "t 1\n";
  {
    Plain heap;
    heap.write_to(file.descriptor());
    void* a = heap.malloc(10);
    const Block b = heap.allocate(20, 256);
    heap.free(a);
    EXPECT_EQ(heap.malloc(5000), nullptr);
    heap.clear();
    void* last = heap.malloc(0);
    EXPECT_TRUE(heap.expand(last, 100));
    EXPECT_FALSE(heap.expand(last, 10000));
    heap.free(last);
    expected += "m " + number(a) + " 10\na " + number(b.data) + " 20 256\nf " + number(a);
    expected += "\nm 0x0 5000\nc\nm " + number(last) + " 0\ne " + number(last) + " 100\nf ";
    expected += number(last) + "\nx\n";
    EXPECT_EQ(file.text(), "");
    heap.flush();
    EXPECT_EQ(file.text() + "x\n", expected);
  }
  EXPECT_EQ(file.text(), expected);
  EXPECT_EQ(read_back(file),
            "3 given, 1 refused, 2 frees, 1 grown, 1 clears, peak 100 bytes, complete\n");
}

TEST(TraceHeap, ShowsDoubleAndInvalidFrees) {
  MemoryFile file;
  void* block = nullptr;
  char foreign = 0;
  {
    Traced heap;
    heap.write_to(file.descriptor());
    block = trace_allocates(heap, 48);
    trace_frees(heap, block);
    trace_frees_wrongly(heap, block);
    trace_frees_wrongly(heap, &foreign);
  }
  const std::string found = read_back(file);
  const auto line_of = [&](const std::string& begin) {
    const size_t at = found.find(begin);
    return at == std::string::npos ? "" : found.substr(at, found.find('\n', at) - at);
  };
  const std::string twice = line_of("double free of " + number(block) + " of 48 bytes in ");
  EXPECT_NE(twice.find(" in trace_frees_wrongly+0x"), std::string::npos) << found;
  EXPECT_NE(twice.find("; freed in trace_frees+0x"), std::string::npos) << found;
  EXPECT_NE(twice.find("; allocated in trace_allocates+0x"), std::string::npos) << found;
  const std::string invalid = line_of("invalid free of " + number(&foreign) + " in ");
  EXPECT_NE(invalid.find(" in trace_frees_wrongly+0x"), std::string::npos) << found;
  EXPECT_NE(found.find("1 given, 0 refused, 3 frees"), std::string::npos) << found;
}

TEST(TraceHeap, ShowsLeaksWithSizesAndPlaces) {
  MemoryFile file;
  {
    Traced heap;
    heap.write_to(file.descriptor());
    repeat(5, [&] { trace_allocates(heap, 100); });
    trace_frees(heap, trace_allocates(heap, 1000));
    heap.malloc(7);
  }
  const std::string found = read_back(file);
  EXPECT_EQ(found.find("leak of 500 bytes in 5 blocks allocated in trace_allocates+0x"), 0u)
      << found;
  EXPECT_NE(found.find("\nleak of 7 bytes in 1 blocks allocated in "), std::string::npos) << found;
  EXPECT_NE(found.find("complete"), std::string::npos) << found;
}

TEST(TraceHeap, OfALongRunAddsUp) {
  MemoryFile file;
  {
    Pipe<MappedHeap, Trace<>> heap;
    heap.write_to(file.descriptor());
    mix(heap, 9, 5000, 5000);
  }
  const std::string found = read_back(file);
  EXPECT_EQ(found.find("leak"), std::string::npos) << found;
  EXPECT_EQ(found.find("free of"), std::string::npos) << found;
  EXPECT_NE(found.find("complete"), std::string::npos) << found;
}

TEST(TraceHeap, BeginsAgainWithAnotherDescriptor) {
  MemoryFile first;
  MemoryFile second;
  {
    Traced heap;
    const MemoryFile* file = &first;
    repeat(2, [&] {
      heap.write_to(file->descriptor());
      heap.free(trace_allocates(heap, file == &first ? 10 : 20));
      file = &second;
    });
  }
  EXPECT_EQ(read_back(first),
            "1 given, 0 refused, 1 frees, 0 grown, 0 clears, peak 10 bytes, cut off\n");
  EXPECT_EQ(read_back(second),
            "1 given, 0 refused, 1 frees, 0 grown, 0 clears, peak 20 bytes, complete\n");
}

TEST(TraceHeap, WritesNothingOfAHeapThatIsNotUsed) {
  MemoryFile file;
  {
    Pipe<NullHeap, Trace<>> heap;
    heap.write_to(file.descriptor());
  }
  EXPECT_EQ(file.text(), "");
}

TEST(TraceHeap, ReaderRefusesWhatIsNoTrace) {
  MemoryFile file;
  TextOutput<64> out(file.descriptor());
  out.text("t 1\nm 0x10\n").flush();
  EXPECT_NE(read_back(file).find("read_trace: line 2: m 0x10: "), std::string::npos);
}

}  // namespace
}  // namespace mmt::layers
