// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits that the system sets: access to folders, descriptors, processors, another root folder, fewer rights.
#include "process_fixture.h"

#include "compiler/client/protocol.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

using Limit = CompilerTest;

constexpr int kSkip = 77;
constexpr uid_t kNobody = 65534;

bool contains(const std::string &text, const char *part) { return text.find(part) != text.npos; }

/// Root may enter every folder. After this call neither the process nor the programs that it executes may.
bool give_up_access_to_all_files() {
  if (geteuid() != 0) return true;
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  for (int capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    if (prctl(PR_CAPBSET_DROP, capability) != 0) return false;
    for (auto *set : {&data[0].effective, &data[0].permitted, &data[0].inheritable}) *set &= ~(1U << capability);
  }
  return syscall(SYS_capset, &header, data) == 0;
}

TEST_F(Limit, GivenACurrentFolderThatCannotBeEntered_WhenBuilding_ThenItWorksWithoutRelativeFiles) {
  write("closed/value.h", "#define VALUE 2\n");
  write("open/value.h", "#define VALUE 3\n");
  const int status = in_child("closed-folder", [&] {
    fs::current_path(folder_ / "closed");
    if (chmod(".", 0) != 0 || !give_up_access_to_all_files() || access("value.h", F_OK) == 0) return kSkip;
    for (int i = 0; i < 2; ++i)  // the second build comes from the cache
      if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    const std::string use = "#include \"value.h\"\nkernel void add(global int *a, int b) { a[0] += b * VALUE; }";
    Reply reply = build({use, {}, ""});
    if (reply.status != Status::kBuildFailure || !contains(reply.log, "'value.h' file not found")) return 2;
    // The server's own folder must not replace it.
    reply = build({"#include \"etc/passwd\"\n", {}, ""});
    if (!contains(reply.log, "'etc/passwd' file not found")) return 3;
    for (int i = 0; i < 2; ++i)
      if (run_add(CodeObject(build({use, {}, "-I" + (folder_ / "open").string()}).binary), 0, 1) != 3) return 4;
    return 0;
  });
  fs::permissions(folder_ / "closed", fs::perms(0700));
  if (status == kSkip) GTEST_SKIP() << "this user enters every folder";
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenACurrentFolderThatIsGone_WhenBuilding_ThenItWorks) {
  const int status = in_child("gone-folder", [&] {
    fs::create_directory(folder_ / "gone");
    fs::current_path(folder_ / "gone");
    fs::remove(folder_ / "gone");
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    for (const char *source : {"#include \"etc/passwd\"\n", "constant uchar a[] = {\n#embed \"etc/passwd\"\n};\n",
                               "constant uchar a[] = {\n#embed \"../../etc/passwd\"\n};\n"})
      if (!contains(build({source, {}, ""}).log, "etc/passwd' file not found")) return 2;
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenAServer_WhenTheProgramGivesUpRights_ThenTheNextServerLacksThemToo) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give up rights";
  const int status = in_child("fewer-rights", [] {
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    const auto before = servers_with_mark("fewer-rights");
    if (before.empty()) return 2;
    if (setegid(kNobody) != 0) return 3;
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 4;
    return eventually([&] {
      const auto after = servers_with_mark("fewer-rights");
      return after.size() == 1 && after[0] != before[0];
    })
               ? 0
               : 5;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenAnotherRootFolder_WhenBuilding_ThenTheLogSaysThatTheCompilerIsNotThere) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can change it";
  const int status = in_child("chroot", [&] {
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    if (chroot(folder_.c_str()) != 0) return kSkip;
    const Reply reply = build({fresh_source(), {}, ""});
    return reply.status == Status::kUnavailable && contains(reply.log, "No such file") && contains(reply.log, "upsweepc") ? 0
                                                                                                                          : 2;
  });
  if (status == kSkip) GTEST_SKIP() << "not allowed";
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenFewDescriptors_WhenBuilding_ThenTheLogBlamesThemAndNotMemory) {
  int failed = 0;
  for (rlim_t limit = 4; limit <= 20; ++limit) {
    const int status = in_child("few-descriptors", [&] {
      for (int fd = 3; fd < 1024; ++fd) close(fd);
      const rlimit few = {limit, limit};
      setrlimit(RLIMIT_NOFILE, &few);
      const Reply reply = build({fresh_source(), {}, ""});
      if (reply.status == Status::kSuccess) return 0;
      if (contains(reply.log, "Too many open files")) return 1;
      fprintf(stderr, "%lu descriptors: %d %s\n", limit, static_cast<int>(reply.status), reply.log.c_str());
      return 2;
    });
    EXPECT_LT(status, 2) << limit;
    failed += status == 1;
  }
  EXPECT_GT(failed, 0) << "no limit was low enough";
}

/// Runs `threads` builds in parallel. Returns the largest number of processes seen to build at the same time.
size_t most_builds(const std::string &mark, int threads, std::atomic<int> &failures) {
  std::atomic<int> running = threads;
  std::vector<std::string> sources;
  for (int i = 0; i < threads; ++i) sources.push_back(fresh_source());
  std::vector<std::thread> builders;
  for (int i = 0; i < threads; ++i)
    builders.emplace_back([&, i] {
      failures += build({sources[i], {}, ""}).status != Status::kSuccess;
      --running;
    });
  size_t most = 0;
  while (running > 0) most = std::max(most, builds_with_mark(mark).size());
  for (auto &builder : builders) builder.join();
  return most;
}

/// The exit status of a child: 0 if builds ran, but never more than `allowed` at the same time.
int verdict(size_t most, size_t allowed, int failures) {
  if (failures > 0) return 1;
  if (most > 0 && most <= allowed) return 0;
  fprintf(stderr, "%zu builds at once, of which %zu are allowed\n", most, allowed);
  return 2;
}

TEST_F(Limit, GivenAHundredThreads_WhenTheyBuild_ThenCompilersAreAsManyAsProcessors) {
  const int status = in_child("hundred", [] {
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    std::atomic<int> failures = 0;
    const size_t most = most_builds("hundred", 100, failures);
    return verdict(most, static_cast<size_t>(CPU_COUNT(&set)), failures);
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenAnOptionForIt_WhenManyThreadsBuild_ThenCompilersAreNoMore) {
  const int status = in_child("option", [] {
    setenv("UPSWEEP_COMPILE_JOBS", "3", 1);
    std::atomic<int> failures = 0;
    const size_t most = most_builds("option", 24, failures);
    return verdict(most, 3, failures);
  });
  EXPECT_EQ(status, 0);
}

/// The number of clients of a server: its sockets, without the control socket.
size_t clients_of(pid_t server) {
  size_t sockets = 0;
  for (const auto &entry : fs::directory_iterator("/proc/" + std::to_string(server) + "/fd")) {
    const int descriptor = std::stoi(entry.path().filename());
    std::error_code closed;  // the descriptor may be closed meanwhile
    const std::string target = fs::read_symlink(entry.path(), closed);
    sockets += descriptor > kControlDescriptor && target.starts_with("socket:");
  }
  return sockets;
}

/// Waits until the server has received that many builds. Ended builds count.
bool have_arrived(const std::string &mark, size_t builds, const std::atomic<int> &ended) {
  return eventually([&] {
    std::vector<pid_t> servers = servers_with_mark(mark);
    for (pid_t build : builds_with_mark(mark)) std::erase(servers, build);
    return servers.size() == 1 && clients_of(servers[0]) + static_cast<size_t>(ended) == builds;
  });
}

TEST_F(Limit, GivenBuildsThatWait_WhenOthersTakeLong_ThenTimeCountsFromTheStartAndTheOrderIsThatOfArrival) {
  const int status = in_child("waiting", [] {
    setenv("UPSWEEP_COMPILE_JOBS", "1", 1);
    setenv("UPSWEEP_COMPILE_TIMEOUT_S", "2", 1);  // for the server; this process has read its own before
    constexpr int kBuilds = 5;
    std::atomic<int> ended = 0, wrong = 0;
    std::vector<std::thread> builders;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kBuilds; ++i) {
      builders.emplace_back([&, i] {
        const bool is_endless = i < 2;
        const Reply reply =
            build({is_endless ? endless() + std::to_string(i) : fresh_source(), {}, is_endless ? "-cl-std=CLC++2021" : ""});
        const bool is_right = is_endless ? contains(reply.log, "took longer than 2 s") : reply.status == Status::kSuccess;
        wrong += !is_right || ended++ != i;
      });
      if (!have_arrived("waiting", builders.size(), ended)) wrong += 100;
    }
    for (auto &builder : builders) builder.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    return wrong > 0 ? 1 : took.count() < 3.9 ? 2 : 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Limit, GivenManyWarnings_WhenBuilding_ThenTheLogIsBoundedAndSaysSo) {
  std::string source;
  for (int i = 0; i < 20000; ++i) source += "#warning " + std::string(1000, 'w') + "\n";
  const Reply reply = build({source + kAdd, {}, ""});
  ASSERT_EQ(reply.status, Status::kSuccess);
  EXPECT_LT(reply.log.size(), 1200u << 10);
  EXPECT_TRUE(contains(reply.log, "more warnings are left out")) << reply.log.substr(reply.log.size() - 200);
  // Errors are reported nevertheless.
  const Reply failed = build({source + "#error at the end\n", {}, ""});
  EXPECT_EQ(failed.status, Status::kBuildFailure);
  EXPECT_TRUE(contains(failed.log, "error: at the end"));
  const Reply long_one = build({"#warning " + std::string(size_t{4} << 20, 'w') + "\n#warning next\n" + kAdd, {}, ""});
  EXPECT_LT(long_one.log.size(), 200u << 10);
  EXPECT_TRUE(contains(long_one.log, "next"));
}

TEST_F(Limit, GivenAnyNameOfAKernel_WhenBuilt_ThenItIsFound) {
  for (const std::string name : {"upsweep_code_object", "_init", "_fini", "_start", "_end", "_DYNAMIC", "memcpy", "memset",
                                 "malloc", "exit", "data", "entry", "dollar$"}) {
    const Reply reply = build({"kernel void " + name + "(global int *a, int b) { a[0] += b; }", {}, ""});
    ASSERT_EQ(reply.status, Status::kSuccess) << name << reply.log;
    const CodeObject object(reply.binary);
    ASSERT_NE(object.get(), nullptr) << name;
    EXPECT_EQ(object.get()->abi, UPSWEEP_CPU_ABI) << name;
    EXPECT_NE(object.kernel(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace upsweep::compiler::test
