// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operators on host and device: values, identities, and the effect of NaN on minimum and maximum.
#include "check.h"

#include <upsweep/cuda/operators.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <limits>

using namespace upsweep::cuda;
using namespace upsweep::test;

namespace {

struct Opaque {
  int value;
};

static_assert(has_identity<plus, float> && has_identity<multiplies, __half> && has_identity<maximum, __nv_bfloat16>);
static_assert(has_identity<bit_and, unsigned> && !has_identity<bit_and, float> && !has_identity<plus, Opaque>);
static_assert(identity<minimum, int>::value() == std::numeric_limits<int>::max());
static_assert(identity<maximum, float>::value() == -std::numeric_limits<float>::infinity());
static_assert(identity<bit_and, unsigned char>::value() == 255);
static_assert(is_commutative<plus, double> && !is_commutative<plus, Opaque> && !is_commutative<bit_xor, float>);
static_assert(has_identity<bit_and, bool> && is_commutative<plus, bool> && !is_commutative<minus, int>);
static_assert(plus{}(static_cast<unsigned char>(200), static_cast<unsigned char>(100)) == 44);

// out[i] = in[i] op in[i + 1]; out[n] is the identity, and out[n + 1] the identity combined with in[0].
template <class T, class Op>
__global__ void apply_kernel(const T *in, T *out, int n, Op op) {
  for (int i = 0; i < n; ++i) {
    out[i] = op(in[i], in[i + 1]);
  }
  out[n] = identity<Op, T>::value();
  out[n + 1] = op(out[n], in[0]);
}

template <class T, class Op>
void check_operator(const std::vector<T> &values, Op op) {
  const int n = static_cast<int>(values.size()) - 1;
  DeviceArray<T> in(values), out(n + 2);
  apply_kernel<<<1, 1>>>(in.data(), out.data(), n, op);
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<T> got = out.download();
  for (int i = 0; i < n; ++i) {
    UPSWEEP_CHECK(same(got[i], op(values[i], values[i + 1])));
  }
  UPSWEEP_CHECK(same(got[n], identity<Op, T>::value()));
  UPSWEEP_CHECK(same(got[n + 1], values[0]));
}

template <class T>
void check_arithmetic(const std::vector<T> &values) {
  check_operator(values, plus{});
  check_operator(values, multiplies{});
  check_operator(values, minimum{});
  check_operator(values, maximum{});
}
template <class T>
void check_integers(const std::vector<T> &values) {
  check_arithmetic(values);
  check_operator(values, bit_and{});
  check_operator(values, bit_or{});
  check_operator(values, bit_xor{});
}
template <class T>
std::vector<T> halves() {
  std::vector<T> values;
  for (const float value : {1.5f, -2.0f, 0.25f, 100.0f, 3.0f}) {
    values.push_back(T(value));
  }
  return values;
}

}  // namespace

UPSWEEP_TEST(GivenNumbers_WhenOperatorsRunOnTheDevice_ThenTheyAgreeWithTheHost) {
  check_integers<int>({1, -2, 3, 1 << 30, 7});
  check_integers<unsigned char>({1, 254, 3, 128, 7});
  check_integers<unsigned long long>({1, ~0ull, 3, 1ull << 63, 7});
  check_integers<__int128>({1, -2, __int128(1) << 100, 4, -(__int128(3) << 90)});
  check_arithmetic<float>({1.5f, -2.25f, 3e30f, 1e-30f, 7.0f});
  check_arithmetic<double>({1.5, -2.25, 3e300, 1e-300, 7.0});
  check_arithmetic<__half>(halves<__half>());
  check_arithmetic<__nv_bfloat16>(halves<__nv_bfloat16>());
}

UPSWEEP_TEST(GivenNaN_WhenMinimumAndMaximumMeetIt_ThenTheNumberWinsFromEitherSide) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {2.0f, nan, 1.0f, nan, nan};
  DeviceArray<float> in(values), out(6);
  apply_kernel<<<1, 1>>>(in.data(), out.data(), 4, minimum{});
  UPSWEEP_CUDA(cudaGetLastError());
  const std::vector<float> got = out.download();
  UPSWEEP_CHECK(got[0] == 2.0f && got[1] == 1.0f && got[2] == 1.0f && std::isnan(got[3]));
  UPSWEEP_CHECK(minimum{}(minimum{}(2.0f, nan), 1.0f) == minimum{}(2.0f, minimum{}(nan, 1.0f)));
}
