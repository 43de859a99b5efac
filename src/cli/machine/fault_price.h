// What a page fault costs on this machine.
#pragma once

namespace mmt::cli {

// Nanoseconds for the first write to a fresh page of the base size: the median of many batches. 0
// when there is no memory to try it on.
double fault_price_ns();

}  // namespace mmt::cli
