// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of control groups, from files like the kernel's.
#include "targets/cpu/cpu_quota.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace upsweep {
namespace {

namespace fs = std::filesystem;

class CpuQuotaTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "upsweep-quota-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path &file, const std::string &text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  std::optional<uint32_t> quota() const { return quota_cpus(root_ / "sys", root_ / "own"); }

  fs::path root_;
};

TEST_F(CpuQuotaTest, GivenNoLimit_WhenAsked_ThenThereIsNone) {
  EXPECT_EQ(quota(), std::nullopt);
  write("own", "0::/user/app");
  EXPECT_EQ(quota(), std::nullopt);
  write("sys/user/app/cpu.max", "max 100000");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST_F(CpuQuotaTest, GivenAQuota_WhenAsked_ThenItIsRoundedUp) {
  write("own", "0::/user/app");
  for (const auto &[text, cpus] :
       {std::pair("100000 100000", 1u), {"150000 100000", 2u}, {"20000 100000", 1u}, {"1600000 100000", 16u}}) {
    write("sys/user/app/cpu.max", text);
    EXPECT_EQ(quota(), cpus) << text;
  }
}

TEST_F(CpuQuotaTest, GivenLimitsAbove_WhenAsked_ThenTheLeastCounts) {
  write("own", "0::/user/app");
  write("sys/user/app/cpu.max", "800000 100000");
  write("sys/user/cpu.max", "300000 100000");
  EXPECT_EQ(quota(), 3u);
}

TEST_F(CpuQuotaTest, GivenAPathOfTheHost_WhenAsked_ThenTheMountedGroupCounts) {
  write("own", "0::/kubepods/pod1/container2");
  write("sys/cpu.max", "250000 100000");
  EXPECT_EQ(quota(), 3u);
}

TEST_F(CpuQuotaTest, GivenVersionOne_WhenAsked_ThenItsFilesCount) {
  write("own", "5:memory:/m\n4:cpu,cpuacct:/docker/1\n0::/");
  write("sys/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "-1");
  write("sys/cpu,cpuacct/docker/1/cpu.cfs_period_us", "100000");
  EXPECT_EQ(quota(), std::nullopt);
  write("sys/cpu,cpuacct/docker/1/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(quota(), 2u);
}

}  // namespace
}  // namespace upsweep
