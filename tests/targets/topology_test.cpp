// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Caches and NUMA nodes of invented computers, in Linux's files.
#include "targets/cpu/topology.h"
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <unistd.h>

namespace upsweep::tests {
namespace {

namespace fs = std::filesystem;

class TopologyTest : public testing::Test {
protected:
  void SetUp() override { fs::create_directories(system_); }
  void TearDown() override { fs::remove_all(system_); }

  void write(const std::string &path, const std::string &text) const {
    fs::create_directories((system_ / path).parent_path());
    std::ofstream(system_ / path) << text << '\n';
  }

  void add_cache(int cpu, const std::string &index, const char *level, const char *type, const char *size,
                 const std::string &sharers) const {
    const std::string folder = "cpu/cpu" + std::to_string(cpu) + "/cache/index" + index + "/";
    write(folder + "level", level);
    write(folder + "type", type);
    write(folder + "size", size);
    write(folder + "shared_cpu_list", sharers);
  }

  /// Two nodes of two cores with two threads each; a core's threads are CPU n and n + 4, which firmware often chooses.
  void make_two_nodes() const {
    for (int cpu = 0; cpu < 8; ++cpu) {
      const int core = cpu % 4, node = core / 2;
      const std::string threads = std::to_string(core) + "," + std::to_string(core + 4);
      add_cache(cpu, "0", "1", "Data", "48K", threads);
      add_cache(cpu, "1", "1", "Instruction", "32K", std::to_string(cpu));
      add_cache(cpu, "2", "2", "Unified", "1024K", threads);
      add_cache(cpu, "3", "3", "Unified", "16384K", node == 0 ? "0-1,4-5" : "2-3,6-7");
    }
    write("node/online", "0-1");
    write("node/node0/cpulist", "0-1,4-5");
    write("node/node1/cpulist", "2-3,6-7");
  }

  static std::vector<int> counting(int count) {
    std::vector<int> cpus(count);
    std::iota(cpus.begin(), cpus.end(), 0);
    return cpus;
  }

  static const AffinityLevel *level(const Topology &topology, cl_device_affinity_domain domain) {
    for (const AffinityLevel &level : topology.levels)
      if (level.domain == domain) return &level;
    return nullptr;
  }

  const fs::path system_ = fs::temp_directory_path() / ("upsweep-topology-" + std::to_string(getpid()));
};

TEST_F(TopologyTest, GivenTwoNodes_WhenRead_ThenNeighboursShareWhatTheyCan) {
  make_two_nodes();
  const Topology topology = read_topology(system_, counting(8), 8);
  EXPECT_EQ(topology.cpus, (std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7}));
  ASSERT_EQ(topology.levels.size(), 4u);
  EXPECT_EQ(topology.levels[0].domain, cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_NUMA});
  EXPECT_EQ(topology.levels[0].instance_of, (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(topology.levels[1].domain, cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE});
  EXPECT_EQ(topology.levels[1].cache_bytes, 16u << 20);
  EXPECT_EQ(topology.levels[3].domain, cl_device_affinity_domain{CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE});
  EXPECT_EQ(topology.levels[3].cache_bytes, 48u << 10) << "of data, not of instructions";
  EXPECT_EQ(topology.levels[3].instance_of, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST_F(TopologyTest, GivenOneNodesCpusOnly_WhenRead_ThenTheOthersAreNotThere) {
  make_two_nodes();
  const Topology topology = read_topology(system_, {2, 6}, 2);
  EXPECT_EQ(topology.cpus, (std::vector<int>{2, 6}));
  EXPECT_EQ(level(topology, CL_DEVICE_AFFINITY_DOMAIN_NUMA)->instance_of, (std::vector<int>{1, 1}));
}

TEST_F(TopologyTest, GivenFewerOrMoreWorkersThanCpus_WhenRead_ThenEachHasOne) {
  make_two_nodes();
  EXPECT_EQ(read_topology(system_, counting(8), 2).cpus, (std::vector<int>{0, 2})) << "one on each node";
  const Topology many = read_topology(system_, {0, 1}, 4);
  EXPECT_EQ(many.cpus, (std::vector<int>{0, 0, 1, 1}));
  EXPECT_EQ(level(many, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE)->instance_of, (std::vector<int>{0, 0, 1, 1}));
}

TEST_F(TopologyTest, GivenNothingToRead_WhenRead_ThenNoLevelIsClaimed) {
  const Topology topology = read_topology(system_, counting(2), 2);
  EXPECT_EQ(topology.cpus, (std::vector<int>{0, 1}));
  EXPECT_TRUE(topology.levels.empty());
}

}  // namespace
}  // namespace upsweep::tests
