// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each row of src/api/device_info.def on each device: the answer has the size of its type, and nothing is written to a buffer
// that is too small.
#include "base/command_buffers.h"
#include "base/opencl_3_1.h"
#include "base/unified_svm.h"
#include "fixture.h"
#include <algorithm>
#include <vector>

namespace upsweep::tests {
namespace {

using Uuid = cl_uchar[CL_UUID_SIZE_KHR];
using Luid = cl_uchar[CL_LUID_SIZE_KHR];

enum class Form { kValue, kString, kArray, kOfCard };

struct Query {
  const char *text;
  cl_device_info name;
  Form form;
  size_t bytes;  ///< size of the value, or of an element
};

constexpr Query kQueries[] = {
#define UPSWEEP_VALUE(query, type, ...) {#query, query, Form::kValue, sizeof(type)},
#define UPSWEEP_OF_IMAGES(query, type, member) UPSWEEP_VALUE(query, type, member)
#define UPSWEEP_STRING(query, text) {#query, query, Form::kString, 1},
#define UPSWEEP_ARRAY(query, type, ...) {#query, query, Form::kArray, sizeof(type)},
#define UPSWEEP_OF_CARD(query, type, ...) {#query, query, Form::kOfCard, sizeof(type)},
#include "api/device_info.def"
#undef UPSWEEP_VALUE
#undef UPSWEEP_STRING
#undef UPSWEEP_ARRAY
#undef UPSWEEP_OF_CARD
#undef UPSWEEP_OF_IMAGES
};

void check(cl_device_id device, const Query &query) {
  size_t bytes = 0;
  const cl_int known = clGetDeviceInfo(device, query.name, 0, nullptr, &bytes);
  if (query.form == Form::kOfCard && known == CL_INVALID_VALUE) return;  // the device is no card
  ASSERT_EQ(known, CL_SUCCESS);
  if (query.form == Form::kValue || query.form == Form::kOfCard)
    EXPECT_EQ(bytes, query.bytes);
  else
    EXPECT_EQ(bytes % query.bytes, 0u);

  constexpr unsigned char kUntouched = 0xA5;
  std::vector<unsigned char> answer(bytes + 1, kUntouched);
  if (bytes) {
    EXPECT_EQ(clGetDeviceInfo(device, query.name, bytes - 1, answer.data(), nullptr), CL_INVALID_VALUE);
    EXPECT_EQ(std::ranges::count(answer, kUntouched), static_cast<std::ptrdiff_t>(answer.size()));
  }
  EXPECT_EQ(clGetDeviceInfo(device, query.name, bytes, answer.data(), nullptr), CL_SUCCESS);
  EXPECT_EQ(answer.back(), kUntouched);
  if (query.form == Form::kString) {
    ASSERT_GE(bytes, 1u);
    EXPECT_EQ(std::ranges::find(answer, 0) - answer.begin(), static_cast<std::ptrdiff_t>(bytes - 1));
  }
}

using DeviceQueryTest = Fixture;

TEST_F(DeviceQueryTest, GivenEveryQuery_WhenAskedOfEveryDevice_ThenTheAnswerIsOfItsType) {
  cl_uint count = 0;
  ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_device_id> devices(count);
  ASSERT_EQ(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr), CL_SUCCESS);
  for (cl_device_id device : devices)
    for (const Query &query : kQueries) {
      SCOPED_TRACE(query.text);
      check(device, query);
    }
}

TEST_F(DeviceQueryTest, GivenTheTable_WhenRead_ThenItHasEachQueryOnce) {
  for (const Query &query : kQueries) EXPECT_EQ(std::ranges::count(kQueries, query.name, &Query::name), 1) << query.text;
}

}  // namespace
}  // namespace upsweep::tests
