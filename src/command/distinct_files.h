// What is written is not what is read: opening it for that would destroy it.
#pragma once

#include <string>

#include "command/failure.h"

namespace mmt::command {

// Throws a Failure that names `output` where it is the file `input`, under that name or another.
void check_distinct(const std::string& output, const std::string& input, int status = kUsage);

}  // namespace mmt::command
