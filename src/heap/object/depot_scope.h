#pragma once
// Around each hold of the depot lock, outside it. A library may have sealed what is written under
// the lock (src/harden). The plain heap seals nothing.
namespace mmt::heap {

struct DepotScope {};

}  // namespace mmt::heap
