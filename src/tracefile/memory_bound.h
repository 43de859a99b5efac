#pragma once
// How much memory the process may take for what it reads. A file of some KiB may ask for more than
// any machine has: 65,536 events may be 60 bytes of it. Whoever links this gets an operator new
// that holds the bound; without a bound it is the usual one.
//
// Counted is what is resident and of no file, so that tables which were only reserved cost nothing.
// The bound is the process's; it is set before other threads begin.
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace mmt::tracefile {

class TooMuchMemory : public std::bad_alloc {
 public:
  explicit TooMuchMemory(uint64_t allowed) : allowed_(allowed) {}
  const char* what() const noexcept override { return "more memory than --memory gives"; }
  uint64_t allowed() const { return allowed_; }  // bytes

 private:
  uint64_t allowed_;
};

class MemoryBound {
 public:
  // So many bytes beyond what the process has now; 0: no bound.
  static void set(uint64_t bytes);
  static uint64_t bytes();
  // Throws TooMuchMemory where what the process has, and so many bytes more, exceed the bound.
  static void look(uint64_t more = 0);

  // What has failed for want of memory is told, and ended, while there is no bound.
  class Lifted {
   public:
    Lifted();
    ~Lifted();
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;

   private:
    uint64_t before_;
  };
};

// What the thread reads, for the line that says where memory was out.
class NowReading {
 public:
  // `unit`: a literal, "byte" or "line"; nullptr where no place is known.
  static void at(const std::string& path, const char* unit = nullptr, uint64_t number = 0);
  // "'x.mtr', byte 17: "; empty where nothing was read.
  static std::string place();
};

// From now on the process ends where memory is out and nothing can be thrown, such as in a
// destructor. It ends with status 1 and a line that begins with `prefix`, a literal.
void tell_where_nothing_can_be_thrown(const char* prefix);

// The line for it, with the place.
std::string told_of(const std::bad_alloc& failure);

}  // namespace mmt::tracefile
