// The steps of minimisation. Each keeps the function that `on` stands for, modulo the don't-care
// set.
#pragma once

#include "espresso/cover.h"

namespace mmt::workloads::classic::espresso {

// Makes every cube prime (as large as it can be without reaching into the off-set) and removes
// cubes that come to lie inside another.
void expand(const Cover& off, Cover* on);

// Removes cubes that the others cover, until each is needed.
void make_irredundant(const Cover& dont_care, Cover* on);

// Makes each cube as small as the others allow, so that the next expansion can go another way.
void reduce(const Cover& dont_care, Cover* on);

// Moves primes that are in every minimal cover from `on` to `essential`. Wants `on` prime.
void take_essential(const Cover& dont_care, Cover* on, Cover* essential);

}  // namespace mmt::workloads::classic::espresso
