// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipe functions, using a GPU's atomics and work-group functions.
#define PIPES_OF_GPUS
#include "pipes.cl"
