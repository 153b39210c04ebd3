// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateSampler, clCreateSamplerWithProperties, clRetainSampler, clReleaseSampler, clGetSamplerInfo.
#include "runtime/objects/sampler.h"
#include "api/entry.h"
#include "api/image_descriptor.h"
#include "api/info.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <cmath>
#include <cstring>

using namespace upsweep;

namespace {

const InfoEntry<Sampler> kSamplerInfo[] = {
    {CL_SAMPLER_REFERENCE_COUNT,
     [](const Sampler &s, const InfoOut &out) { return out.write<cl_uint>(s.application_count()); }},
    {CL_SAMPLER_CONTEXT, [](const Sampler &s, const InfoOut &out) { return out.write<cl_context>(&s.context()); }},
    {CL_SAMPLER_NORMALIZED_COORDS,
     [](const Sampler &s, const InfoOut &out) { return out.write<cl_bool>(s.state().normalized); }},
    {CL_SAMPLER_ADDRESSING_MODE,
     [](const Sampler &s, const InfoOut &out) { return out.write<cl_addressing_mode>(s.state().addressing); }},
    {CL_SAMPLER_FILTER_MODE, [](const Sampler &s, const InfoOut &out) { return out.write<cl_filter_mode>(s.state().filter); }},
    {CL_SAMPLER_MIP_FILTER_MODE_KHR,
     [](const Sampler &s, const InfoOut &out) { return out.write<cl_filter_mode>(s.state().mip_filter); }},
    {CL_SAMPLER_LOD_MIN_KHR, [](const Sampler &s, const InfoOut &out) { return out.write<cl_float>(s.state().lod_min); }},
    {CL_SAMPLER_LOD_MAX_KHR, [](const Sampler &s, const InfoOut &out) { return out.write<cl_float>(s.state().lod_max); }},
    {CL_SAMPLER_PROPERTIES, [](const Sampler &s, const InfoOut &out) { return out.write_array(s.properties()); }},
};

Result<void> check_filter(cl_sampler_properties value, const char *name) {
  if (value == CL_FILTER_NEAREST || value == CL_FILTER_LINEAR) return {};
  return fail(CL_INVALID_VALUE, std::string(name) + " is " + std::to_string(value));
}

/// Accepts repeating modes with unnormalised coordinates: OpenCL C permits the combination, but leaves the result undefined.
Result<void> check_modes(cl_sampler_properties normalized, cl_sampler_properties addressing, cl_sampler_properties filter) {
  if (normalized != CL_TRUE && normalized != CL_FALSE)
    return fail(CL_INVALID_VALUE, "normalized_coords is " + std::to_string(normalized));
  constexpr cl_addressing_mode kModes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                           CL_ADDRESS_MIRRORED_REPEAT};
  if (std::ranges::find(kModes, addressing) == std::end(kModes))
    return fail(CL_INVALID_VALUE, "the addressing mode is " + std::to_string(addressing));
  return check_filter(filter, "the filter mode");
}

/// The float is in the lower half of the property.
Result<float> check_lod(cl_sampler_properties value) {
  float lod = 0;
  std::memcpy(&lod, &value, sizeof lod);
  if (std::isnan(lod)) return fail(CL_INVALID_VALUE, "a level of detail is not a number");
  return lod;
}

Result<void> set_property(SamplerState &state, cl_sampler_properties name, cl_sampler_properties value) {
  switch (name) {
  case CL_SAMPLER_NORMALIZED_COORDS:
    if (auto checked = check_modes(value, state.addressing, state.filter); !checked) return checked;
    state.normalized = static_cast<cl_bool>(value);
    return {};
  case CL_SAMPLER_ADDRESSING_MODE:
    if (auto checked = check_modes(state.normalized, value, state.filter); !checked) return checked;
    state.addressing = static_cast<cl_addressing_mode>(value);
    return {};
  case CL_SAMPLER_FILTER_MODE:
    if (auto checked = check_filter(value, "the filter mode"); !checked) return checked;
    state.filter = static_cast<cl_filter_mode>(value);
    return {};
  case CL_SAMPLER_MIP_FILTER_MODE_KHR:
    if (auto checked = check_filter(value, "the mip filter mode"); !checked) return checked;
    state.has_mip_properties = true;
    state.mip_filter = static_cast<cl_filter_mode>(value);
    return {};
  case CL_SAMPLER_LOD_MIN_KHR:
  case CL_SAMPLER_LOD_MAX_KHR: {
    auto lod = check_lod(value);
    if (!lod) return fail(lod);
    state.has_mip_properties = true;
    (name == CL_SAMPLER_LOD_MIN_KHR ? state.lod_min : state.lod_max) = *lod;
    return {};
  }
  default: return fail(CL_INVALID_VALUE, "property " + std::to_string(name) + " is not a sampler property");
  }
}

Result<cl_sampler> create_sampler(Context &context, const cl_sampler_properties *properties) {
  SamplerState state;
  std::vector<cl_sampler_properties> list;
  for (const cl_sampler_properties *at = properties; at && *at; at += 2) {
    for (size_t i = 0; i < list.size(); i += 2)
      if (list[i] == *at) return fail(CL_INVALID_VALUE, "property " + std::to_string(*at) + " is given twice");
    if (auto set = set_property(state, at[0], at[1]); !set) return fail(set);
    list.insert(list.end(), {at[0], at[1]});
  }
  if (properties) list.push_back(0);
  return hand_out(make_ref<Sampler>(context, state, std::move(list)));
}

Result<Context *> check_context(cl_context context) {
  auto owner = Context::from(context);
  if (!owner) return owner;
  if (auto checked = check_has_images(**owner); !checked) return fail(checked);
  return owner;
}

}  // namespace

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized_coords, cl_addressing_mode addressing_mode,
                                       cl_filter_mode filter_mode, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_sampler> {
    auto owner = check_context(context);
    if (!owner) return fail(owner);
    if (auto checked = check_modes(normalized_coords, addressing_mode, filter_mode); !checked) return fail(checked);
    const SamplerState state{.normalized = normalized_coords, .addressing = addressing_mode, .filter = filter_mode};
    return hand_out(make_ref<Sampler>(**owner, state, std::vector<cl_sampler_properties>{}));
  });
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties *sampler_properties,
                                                     cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_sampler> {
    auto owner = check_context(context);
    if (!owner) return fail(owner);
    return create_sampler(**owner, sampler_properties);
  });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return entry(__func__, [&] { return Sampler::from(sampler).map([](Sampler *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return entry(__func__, [&] { return Sampler::from(sampler).and_then([](Sampler *object) { return object->release(); }); });
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Sampler::from(sampler);
    if (!object) return fail(object);
    return answer_info(kSamplerInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}
