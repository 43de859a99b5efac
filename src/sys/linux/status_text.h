#pragma once
// What a thread's file /proc/.../status says of its users and groups, as a number that is another
// one where they differ.
#include <cstddef>
#include <cstdint>

namespace mmt::sys {

// Text comes in pieces of any size. All zero bits but the hash: nothing read yet.
class StatusText {
 public:
  // False: what follows tells nothing more.
  bool read(const char* text, size_t bytes);

  // The thread has ended, and waits for somebody to ask for its status.
  bool has_ended() const { return has_ended_; }
  // It is the kernel's own, which works off a ring of requests with the rights of those who made
  // them.
  bool is_kernels() const { return name_matched_ == kKernelsBytes; }
  // All that is looked for was there.
  bool is_whole() const { return is_whole_; }
  uint64_t hash() const { return hash_; }

 private:
  static constexpr size_t kKeyBytes = 8;
  static constexpr char kKernels[] = "iou-";
  static constexpr size_t kKernelsBytes = sizeof kKernels - 1;

  void match_name(char c);

  void end_key();
  void end_line();

  char key_[kKeyBytes] = {};
  size_t key_size_ = 0;
  bool in_key_ = true;
  bool is_taken_ = false;  // the line counts
  bool is_state_ = false;
  bool is_groups_ = false;
  bool is_name_ = false;
  size_t name_matched_ = 0;
  bool has_ended_ = false;
  bool is_whole_ = false;
  uint64_t hash_ = 14695981039346656037u;  // FNV-1a
};

}  // namespace mmt::sys
