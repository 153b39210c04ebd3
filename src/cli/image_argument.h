// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers as --arg of `upsweep run`:
//
//   image:FILE[,order=RGBA][,type=UNORM_INT8]       the picture in a PNG or JPEG file, for image2d_t
//   image:file.npy[,order=R][,type=…]               the array as texels; its axes are layers or slices, rows, texels of a
//                                                   row, and channels if there are several; default type: the array's
//   image:WxHxD[,order=…][,type=…]                  zeros; the kernel's image type determines the number of sizes
//   sampler:WORD[,WORD…]                            nearest or linear; none, clamp_to_edge, clamp, repeat or mirrored_repeat;
//                                                   unnormalized or normalized; defaults: nearest, clamp_to_edge,
//                                                   unnormalized
#ifndef UPSWEEP_CLI_IMAGE_ARGUMENT_H
#define UPSWEEP_CLI_IMAGE_ARGUMENT_H

#include "cli/argument.h"

#include <optional>

namespace upsweep::cli {

Result<HostArgument> parse_image(std::string_view text);
Result<HostArgument> parse_sampler(std::string_view text);

// The descriptor for an image of the type that a kernel declares ("image2d_array_t"); empty if the number of sizes is wrong.
// The caller sets mem_object.
struct ImageTypeName {
  std::string_view name;
  cl_mem_object_type type;
  size_t sizes;
};
const ImageTypeName *find_image_type(std::string_view name);
cl_image_desc describe_image(const ImageTypeName &type, const std::vector<size_t> &extent);

// "512 x 256"
std::string extent_text(const std::vector<size_t> &extent);

}  // namespace upsweep::cli
#endif
