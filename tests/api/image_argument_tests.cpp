// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images and samplers as kernel arguments. tests/kernels tests their use by kernels.
#include "image_fixture.h"

namespace {

using namespace upsweep::tests;

class ImageArgumentTest : public ImageFixture {
protected:
  cl_sampler make_sampler() {
    cl_int error = -1;
    cl_sampler sampler = clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    EXPECT_EQ(error, CL_SUCCESS);
    return sampler;
  }
  cl_int enqueue(cl_kernel kernel) {
    const size_t one = 1;
    const cl_int error = clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr);
    EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
    return error;
  }
};

TEST_F(ImageArgumentTest, GivenEachImageType_WhenSetAsEachArgument_ThenOnlyTheSameTypeFits) {
  const struct {
    const char *name;
    cl_image_desc desc;
    bool is_depth;
  } types[] = {{"image1d_t", desc_of(CL_MEM_OBJECT_IMAGE1D, 4), false},
               {"image1d_buffer_t", desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4), false},
               {"image1d_array_t", desc_of(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 0, 2), false},
               {"image2d_t", desc_2d(4, 4), false},
               {"image2d_array_t", desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 2), false},
               {"image2d_depth_t", desc_2d(4, 4), true},
               {"image2d_array_depth_t", desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 2), true},
               {"image3d_t", desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4), false}};
  std::vector<cl_mem> images;
  std::string source;
  for (auto type : types) {
    if (type.desc.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) type.desc.mem_object = make_buffer(64);
    images.push_back(create(0, {cl_channel_order(type.is_depth ? CL_DEPTH : CL_R), CL_FLOAT}, type.desc));
    source += std::string("kernel void take_") + type.name + "(read_only " + type.name + " image) {}\n";
  }
  for (const auto &type : types) {
    const std::string name = type.name;
    source += "typedef read_only " + name + " my_" + name + "; kernel void take_my_" + name + "(my_" + name + " image) {}\n";
  }
  cl_program program = build(source.c_str(), "-cl-std=CL2.0");
  for (const char *prefix : {"take_", "take_my_"}) {
    for (size_t i = 0; i < std::size(types); ++i) {
      cl_kernel kernel = make_kernel(program, (std::string(prefix) + types[i].name).c_str());
      for (size_t j = 0; j < std::size(types); ++j)
        EXPECT_EQ(set_argument(kernel, 0, images[j]), i == j ? CL_SUCCESS : CL_INVALID_MEM_OBJECT)
            << prefix << types[i].name << " " << types[j].name;
      EXPECT_EQ(enqueue(kernel), CL_SUCCESS) << prefix << types[i].name;  // the earlier, valid argument is still set
    }
  }
}

TEST_F(ImageArgumentTest, GivenTypesByTypedef_WhenAsked_ThenTheNameIsTheDeclaredOneAndTheAccessIsTheTypes) {
  cl_program program = build("typedef read_only image2d_t in; typedef write_only image3d_t out; typedef image2d_t plain;"
                             "typedef sampler_t how; kernel void f(in a, out b, plain c, how d) {}",
                             "-cl-std=CL2.0 -cl-kernel-arg-info");
  cl_kernel kernel = make_kernel(program, "f");
  const struct {
    std::string name;
    cl_kernel_arg_access_qualifier access;
  } wanted[] = {{"in", CL_KERNEL_ARG_ACCESS_READ_ONLY},
                {"out", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
                {"plain", CL_KERNEL_ARG_ACCESS_READ_ONLY},
                {"how", CL_KERNEL_ARG_ACCESS_NONE}};
  for (cl_uint i = 0; i < 4; ++i) {
    char name[16] = {};
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, nullptr), CL_SUCCESS);
    EXPECT_EQ(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, nullptr), CL_SUCCESS);
    EXPECT_EQ(name, wanted[i].name);
    EXPECT_EQ(access, wanted[i].access) << name;
  }
  cl_mem written = create(CL_MEM_WRITE_ONLY, kRgba8, desc_2d(4, 4));
  cl_mem read = create(CL_MEM_READ_ONLY, kRgba8, desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4));
  EXPECT_EQ(set_argument(kernel, 0, written), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_argument(kernel, 1, read), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_argument(kernel, 3, written), CL_INVALID_SAMPLER);
}

TEST_F(ImageArgumentTest, GivenFlags_WhenTheyForbidTheAccess_ThenInvalidArgValue) {
  cl_program program = build("kernel void r(read_only image2d_t i) {} kernel void w(write_only image2d_t i) {}"
                             "kernel void d(image2d_t i) {}",
                             "-cl-std=CL2.0");
  cl_kernel reads = make_kernel(program, "r"), writes = make_kernel(program, "w"), open = make_kernel(program, "d");
  for (cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY}) {
    cl_mem image = create(flags, kRgba8, desc_2d(4, 4));
    EXPECT_EQ(set_argument(reads, 0, image), flags == CL_MEM_WRITE_ONLY ? CL_INVALID_ARG_VALUE : CL_SUCCESS);
    EXPECT_EQ(set_argument(open, 0, image), flags == CL_MEM_WRITE_ONLY ? CL_INVALID_ARG_VALUE : CL_SUCCESS);
    EXPECT_EQ(set_argument(writes, 0, image), flags == CL_MEM_READ_ONLY ? CL_INVALID_ARG_VALUE : CL_SUCCESS);
  }
}

TEST_F(ImageArgumentTest, GivenBadImagesAndSamplers_WhenSet_ThenTheErrorSaysWhich) {
  cl_kernel kernel = make_kernel(build("kernel void f(read_only image2d_t i, sampler_t s) {}", "-cl-std=CL2.0"), "f");
  cl_mem image = create(0, kRgba8, desc_2d(4, 4)), buffer = make_buffer(64), none = nullptr;
  cl_sampler sampler = make_sampler(), no_sampler = nullptr;
  EXPECT_EQ(enqueue(kernel), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(set_argument(kernel, 0, buffer), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set_argument(kernel, 0, sampler), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set_argument(kernel, 0, none), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 0, sizeof(cl_mem), nullptr), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(clSetKernelArg(kernel, 0, 4, &image), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, image), CL_INVALID_ARG_VALUE);
  EXPECT_EQ(set_argument(kernel, 1, image), CL_INVALID_SAMPLER);
  EXPECT_EQ(set_argument(kernel, 1, no_sampler), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(kernel, 1, sizeof(cl_sampler), nullptr), CL_INVALID_SAMPLER);
  EXPECT_EQ(clSetKernelArg(kernel, 1, 4, &sampler), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(enqueue(kernel), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(set_argument(kernel, 0, image), CL_SUCCESS);
  EXPECT_EQ(set_argument(kernel, 1, sampler), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel), CL_SUCCESS);  // a kernel holds no reference to its sampler, and needs none
}

TEST_F(ImageArgumentTest, GivenAnImageThatIsReleased_WhenTheKernelIsEnqueued_ThenInvalidKernelArgs) {
  cl_kernel kernel = make_kernel(build("kernel void f(read_only image2d_t i) {}", "-cl-std=CL2.0"), "f");
  const cl_image_desc desc = desc_2d(4, 4);
  cl_mem image = clCreateImage(context_, 0, &kRgba8, &desc, nullptr, nullptr);
  EXPECT_EQ(set_argument(kernel, 0, image), CL_SUCCESS);
  EXPECT_EQ(value_of<cl_uint>(clGetMemObjectInfo, image, CL_MEM_REFERENCE_COUNT), 1u);
  cl_event gate = make_user_event();
  const size_t one = 1;
  EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &one, nullptr, 1, &gate, nullptr), CL_SUCCESS);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);  // the command holds a reference
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
  EXPECT_EQ(enqueue(kernel), CL_INVALID_KERNEL_ARGS);
}

TEST_F(ImageArgumentTest, GivenAContextOfItsOwn_WhenSetElsewhere_ThenErrors) {
  cl_kernel kernel = make_kernel(build("kernel void f(read_only image2d_t i, sampler_t s) {}", "-cl-std=CL2.0"), "f");
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  const cl_image_desc desc = desc_2d(4, 4);
  cl_mem image = clCreateImage(other, 0, &kRgba8, &desc, nullptr, nullptr);
  cl_sampler sampler = clCreateSampler(other, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, nullptr);
  EXPECT_EQ(set_argument(kernel, 0, image), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(set_argument(kernel, 1, sampler), CL_INVALID_SAMPLER);
  EXPECT_EQ(clReleaseMemObject(image), CL_SUCCESS);
  EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  EXPECT_EQ(clReleaseContext(other), CL_SUCCESS);
}

TEST_F(ImageArgumentTest, GivenMoreArgumentsThanTheDeviceTakes_WhenEnqueued_ThenOutOfResources) {
  const auto count = value_of<cl_uint>(clGetDeviceInfo, device_, CL_DEVICE_MAX_SAMPLERS);
  for (const cl_uint samplers : {count, count + 1}) {
    std::string source = "kernel void f(";
    for (cl_uint i = 0; i < samplers; ++i) source += (i ? ", sampler_t s" : "sampler_t s") + std::to_string(i);
    cl_kernel kernel = make_kernel(build((source + ") {}").c_str(), "-cl-std=CL2.0"), "f");
    cl_sampler sampler = make_sampler();
    for (cl_uint i = 0; i < samplers; ++i) EXPECT_EQ(set_argument(kernel, i, sampler), CL_SUCCESS);
    EXPECT_EQ(enqueue(kernel), samplers > count ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
    EXPECT_EQ(clReleaseSampler(sampler), CL_SUCCESS);
  }
}

}  // namespace
