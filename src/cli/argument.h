// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One --arg of `upsweep run`: a kernel argument, parsed from its text.
//
//   file.npy                the array in the file
//   zeros:TYPE:N            N zeros                           N is a number or a power such as 2^20
//   range:TYPE:N            0, 1, 2, …
//   random:TYPE:N[:SEED]    integers of 0 … 99, reals of 0 … 1; the same for the same seed
//   TYPE:X[,X…]             a value: int:5, float:1.5, float4:1,2,3,4 (one X fills all components)
//   local:BYTES             local memory
//   image:…, sampler:…      images and samplers (image_argument.h)
#ifndef UPSWEEP_CLI_ARGUMENT_H
#define UPSWEEP_CLI_ARGUMENT_H

#include "cli/opencl.h"
#include "cli/result.h"
#include "cli/value_type.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli {

struct SamplerState {
  cl_bool normalized = CL_FALSE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP_TO_EDGE;
  cl_filter_mode filter = CL_FILTER_NEAREST;
};

struct HostArgument {
  enum class Kind { Buffer, Value, Local, Image, Sampler };
  Kind kind = Kind::Value;
  ValueType type{};                // of an element; for an image, of a stored channel or a whole texel
  std::vector<size_t> shape{};     // of a buffer; for an image with its channels last, unless `type` contains them
  std::vector<std::byte> bytes{};  // of a buffer, a value or an image; empty for an image of zeros that is not created yet
  size_t local_bytes = 0;          // of local memory
  cl_image_format format{};        // of an image
  std::vector<size_t> extent{};    // of an image: width, height, … in the order of its OpenCL type
  SamplerState sampler{};
};

Result<HostArgument> parse_argument(std::string_view text);

// "a,b" → "a", "b"; never empty.
std::vector<std::string_view> split(std::string_view text, char separator);

// A size such as 1024 or 2^10.
Result<size_t> parse_count(std::string_view text);

}  // namespace upsweep::cli
#endif
