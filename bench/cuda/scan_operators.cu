// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: operators other than plus, among them a user's operator that does not commute.
#include "scan_cases.h"

namespace upsweep::bench {

namespace {

// x -> a x + b.
struct Map {
  std::uint32_t a, b;
};
struct Compose {
  __host__ __device__ Map operator()(const Map &first, const Map &then) const {
    return {first.a * then.a, then.a * first.b + then.b};
  }
};
struct PlusOfFloat2 {
  __host__ __device__ float2 operator()(const float2 &a, const float2 &b) const { return {a.x + b.x, a.y + b.y}; }
};
struct ComplexProduct {
  __host__ __device__ float2 operator()(const float2 &a, const float2 &b) const {
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
  }
};

}  // namespace

std::vector<ScanCase> operator_cases() {
  return {exclusive_case<std::int32_t>("max", "i32", true, cuda::maximum{}, ::cuda::maximum<>{}),
          exclusive_case<float>("max", "f32", false, cuda::maximum{}, ::cuda::maximum<>{}),
          exclusive_case<float>("product", "f32", false, cuda::multiplies{}, ::cuda::std::multiplies<>{}),
          exclusive_case<std::uint32_t>("or", "u32", false, cuda::bit_or{}, ::cuda::std::bit_or<>{}),
          exclusive_case<Map>("functor of maps", "2 x u32", true, Compose{}, Compose{}),
          exclusive_case<float2>("functor of sums", "float2", false, PlusOfFloat2{}, PlusOfFloat2{}),
          exclusive_case<float2>("product", "complex f32", false, ComplexProduct{}, ComplexProduct{})};
}

}  // namespace upsweep::bench
