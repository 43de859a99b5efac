#pragma once
// Goes before the plain heap's: what is written under the lock is sealed.
#include "harden/seal.h"

namespace mmt::heap {

using DepotScope = harden::SealedAgain;

}  // namespace mmt::heap
