// What `mmt-replay-models` does: one function a question. Each prints JSON, an object a line.
#pragma once

#include "cli/simulate/request.h"

namespace mmt::cli {

// What the allocators are made of, and how long the trace is, if one is named.
void describe(const ReplayRequest& request);

// All figures of each model, the bounds and where models part, as they were asked for. For a
// damaged trace they are those of what comes before the damage, which is thrown at the end.
void replay_models(const ReplayRequest& request);

// The free chunks of each model before event `tree_at`, and which of them that event looks at.
void show_tree(const ReplayRequest& request);

// Holds each model to its invariants. False where one broke. That was told, and a small trace that
// breaks it, too, was written. A damaged trace is taken as by replay_models.
bool check_models(const ReplayRequest& request);

// Where each object lies in the one model: "event address bytes" a line.
void write_addresses(const ReplayRequest& request);

// The trace as src/sim/real reads it. For a damaged one it is what comes before the damage, which
// is told.
void write_flat(const ReplayRequest& request);

}  // namespace mmt::cli
