// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samplers as kernel arguments.
#include "runtime/objects/sampler.h"
#include "base/sampler_bits.h"
#include <cstring>

namespace upsweep {
namespace {

uint64_t address_bits(cl_addressing_mode mode) {
  switch (mode) {
  case CL_ADDRESS_CLAMP_TO_EDGE: return UPSWEEP_SAMPLER_CLAMP_TO_EDGE;
  case CL_ADDRESS_CLAMP: return UPSWEEP_SAMPLER_CLAMP;
  case CL_ADDRESS_REPEAT: return UPSWEEP_SAMPLER_REPEAT;
  case CL_ADDRESS_MIRRORED_REPEAT: return UPSWEEP_SAMPLER_MIRRORED_REPEAT;
  default: return UPSWEEP_SAMPLER_NONE;
  }
}

/// Values beyond the range of half become infinity.
uint64_t half_bits(float value) {
  const auto half = static_cast<_Float16>(value);
  uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

uint64_t bits_of(const SamplerState &state) {
  uint64_t bits = address_bits(state.addressing);
  bits |= state.filter == CL_FILTER_LINEAR ? UPSWEEP_SAMPLER_LINEAR : UPSWEEP_SAMPLER_NEAREST;
  if (state.normalized) bits |= UPSWEEP_SAMPLER_NORMALIZED;
  if (!state.has_mip_properties) return bits;
  bits |= UPSWEEP_SAMPLER_MIP_GIVEN;
  if (state.mip_filter == CL_FILTER_LINEAR) bits |= UPSWEEP_SAMPLER_MIP_LINEAR;
  return bits | half_bits(state.lod_min) << UPSWEEP_SAMPLER_LOD_MIN_SHIFT |
         half_bits(state.lod_max) << UPSWEEP_SAMPLER_LOD_MAX_SHIFT;
}

}  // namespace

Sampler::Sampler(Context &context, const SamplerState &state, std::vector<cl_sampler_properties> properties)
    : context_(&context), state_(state), bits_(bits_of(state)), properties_(std::move(properties)) {}

}  // namespace upsweep
