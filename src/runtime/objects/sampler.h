// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers (cl_sampler).
#ifndef UPSWEEP_RUNTIME_OBJECTS_SAMPLER_H
#define UPSWEEP_RUNTIME_OBJECTS_SAMPLER_H

#include "base/handle.h"
#include "runtime/objects/context.h"
#include <limits>
#include <span>
#include <vector>

namespace upsweep {

struct SamplerState {
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  bool has_mip_properties = false;  ///< one of the next three members was set by the application
  cl_filter_mode mip_filter = CL_FILTER_NEAREST;
  float lod_min = 0.0f;
  float lod_max = std::numeric_limits<float>::max();
};

class Sampler final : public Object<Sampler, _cl_sampler, CL_INVALID_SAMPLER> {
public:
  /// `properties` with the terminating 0, or empty if the application passed none.
  Sampler(Context &context, const SamplerState &state, std::vector<cl_sampler_properties> properties);

  Context &context() const { return *context_; }
  const SamplerState &state() const { return state_; }
  std::span<const cl_sampler_properties> properties() const { return properties_; }

  /// The kernel argument (base/sampler_bits.h).
  uint64_t bits() const { return bits_; }

private:
  Ref<Context> context_;
  const SamplerState state_;
  const uint64_t bits_;
  const std::vector<cl_sampler_properties> properties_;
};

}  // namespace upsweep
#endif
