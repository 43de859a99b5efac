// The unate recursive paradigm: answer at once where the cofactor is simple, else split a variable
// and put the two answers together.
#pragma once

#include "espresso/cofactor.h"
#include "espresso/cover.h"

namespace mmt::workloads::classic::espresso {

// Whether the cubes cover everything inside the cofactor's cube.
bool is_tautology(const Cofactor& cofactor);

// Appends cubes to `result` that cover just what the cofactor, as a function of the variables that
// are not raised, leaves out. They may reach outside the cofactor's cube.
void complement(const Cofactor& cofactor, Cover* result);

// The smallest cube with all that the cofactor leaves out, into `result`; values outside the
// cofactor's cube may be in it. False, and an empty result, if nothing is left out.
bool supercube_of_complement(const Cofactor& cofactor, Word* result);

// Whether `cube` lies inside the union of `cover` (without its member `except`) and `also`.
bool covers(const Cover& cover, const Cover& also, const Word* cube, const Word* except = nullptr);

}  // namespace mmt::workloads::classic::espresso
