// This layer shows fragmentation and where memory goes. It counts what is requested and what blocks
// take, now and at the peak. It shows what the heap holds, where the heap has usage(), or a
// StatisticsHeap next to its source. It has a histogram of sizes, and the places of allocation that
// hold most: the leaks, at the end. A call of report() writes all this as text; profile() has the
// figures. The layer is for one thread.
#pragma once

#include <mmt/layers/heap.h>
#include <mmt/layers/observe/heap_profile.h>
#include <mmt/layers/observe/observed_heap.h>
#include <mmt/layers/observe/statistics_heap.h>
#include <mmt/layers/observe/text_output.h>
#include <mmt/layers/pipe.h>
#include <mmt/layers/usage.h>

namespace mmt::layers {

namespace detail {

// What is lost of the whole when the part is used, as "12.5%".
template <class Output>
void write_loss(Output& out, size_t whole, size_t part) {
  const double lost = whole == 0 || part > whole
                          ? 0
                          : static_cast<double>(whole - part) / static_cast<double>(whole);
  const auto tenths = static_cast<uint64_t>(lost * 1000 + 0.5);
  out.decimal(tenths / 10).put('.').decimal(tenths % 10).put('%');
}

template <class Output>
void write_sums(Output& out, const char* when, const HeapProfile::Sums& sums) {
  out.text(when).decimal(sums.blocks).text(" blocks, ").decimal(sums.requested);
  out.text(" bytes requested, ").decimal(sums.given).text(" given, ");
  write_loss(out, sums.given, sums.requested);
  out.text(" of them for nothing\n");
}

template <class Output>
void write_profile(Output& out, const HeapProfile& profile, size_t most_places) {
  out.text("heap profile: ").decimal(profile.mallocs()).text(" blocks given, ");
  out.decimal(profile.frees()).text(" freed, ").decimal(profile.failures()).text(" refused\n");
  write_sums(out, "now: ", profile.now());
  write_sums(out, "peak: ", profile.peak());
  if (profile.unrecorded() != 0) out.decimal(profile.unrecorded()).text(" blocks not recorded\n");
  for (size_t c = 0; c < HeapProfile::kClasses; ++c) {
    const HeapProfile::Class& sizes = profile.size_class(c);
    if (sizes.ever == 0 && sizes.blocks == 0) continue;
    out.text("size ").decimal(c == 0 ? 0 : size_t{1} << (c - 1)).text(" to ");
    out.decimal(c == 0 ? 0 : (size_t{1} << (c - 1)) * 2 - 1).text(": ");
    out.decimal(sizes.blocks).text(" blocks now, ").decimal(sizes.ever).text(" ever\n");
  }
  profile.for_top_places(most_places, [&](const Place& place, const HeapProfile::PlaceSums& sums) {
    out.text("place: ").decimal(sums.bytes).text(" bytes in ").decimal(sums.blocks);
    out.text(" blocks, ").decimal(sums.ever).text(" ever: ");
    write_place(out, place);
    out.put('\n');
  });
}

}  // namespace detail

template <class Super>
class ProfileHeap : public ObservedHeap<HeapProfile, Super> {
  static_assert(Heap<Super>, "ProfileHeap: its super-heap has no malloc(size_t) and free(void*)");
  using Observed = ObservedHeap<HeapProfile, Super>;
  static constexpr bool kKnowsSource = requires(const Super& heap) {
    { heap.statistics() } -> std::same_as<const HeapStatistics&>;
  };

 public:
  using Observed::Observed;
  ProfileHeap(const ProfileHeap&) = delete;
  ProfileHeap& operator=(const ProfileHeap&) = delete;
  ~ProfileHeap() {
    if (last_descriptor_ >= 0) report(last_descriptor_);
  }

  const HeapProfile& profile() const { return this->observer(); }

  void report(int descriptor, size_t most_places = 10) const {
    TextOutput<4096> out(descriptor);
    detail::write_profile(out, profile(), most_places);
    if constexpr (requires { Super::usage(); }) {
      const Usage all = Super::usage();
      const size_t held = all.system_bytes + all.mapped_bytes;
      out.text("heap: ").decimal(held).text(" bytes held now, ").decimal(all.free_bytes);
      out.text(" free in ").decimal(all.free_blocks).text(" blocks, ");
      detail::write_loss(out, held, profile().now().requested);
      out.text(" of all for nothing\n");
    }
    if constexpr (kKnowsSource) {
      const HeapStatistics& source = Super::statistics();
      out.text("source: ").decimal(source.bytes).text(" bytes held now, ");
      out.decimal(source.peak_bytes).text(" at most, ");
      detail::write_loss(out, source.peak_bytes, profile().peak().requested);
      out.text(" of them for nothing\n");
    }
  }
  // Negative: there is no report at the end, as at first.
  void report_at_end(int descriptor) { last_descriptor_ = descriptor; }

 private:
  int last_descriptor_ = -1;
};

using Profile = Stage<ProfileHeap>;

}  // namespace mmt::layers
