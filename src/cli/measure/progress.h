// A progress bar on stderr, only where stderr is a terminal; elsewhere it does nothing.
#pragma once

#include <string_view>

namespace mmt::cli {

class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` of `total` seconds are behind us (an estimate); `what` is about to run.
  void show(double done, double total, std::string_view what);

  // Takes the bar away, before something else is printed.
  void clear();

 private:
  bool on_;
  bool visible_ = false;
};

}  // namespace mmt::cli
