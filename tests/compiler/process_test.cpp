// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server process: crashes, limits and its own death, none of which the application notices.
#include "base/sanitizer.h"
#include "process_fixture.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>

namespace upsweep::compiler::test {
namespace {

using Process = CompilerTest;

TEST_F(Process, GivenACrash_WhenBuilding_ThenAFailureThatSaysSoAndTheNextBuildWorks) {
  Reply reply = build({"#pragma clang __debug crash\n" + kAdd, {}, ""});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("the compiler crashed with signal"), std::string::npos) << reply.log;
  EXPECT_EQ(build({fresh_source(), {}, ""}).status, Status::kSuccess);
}

TEST_F(Process, GivenAnOverflowingStack_WhenBuilding_ThenAFailureThatSaysSo) {
  // The compiler does not use the application's limit, however high.
  rlimit stack{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &stack), 0);
  stack.rlim_cur = stack.rlim_max;
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &stack), 0);
  std::string sum = "0";
  for (int i = 0; i < 200000; ++i) sum += "+b";
  Reply reply = build({"kernel void f(global int *a, int b) { a[0] = " + sum + "; }", {}, ""});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("signal 11"), std::string::npos) << reply.log.substr(0, 500);
}

TEST_F(Process, GivenAFatalError_WhenBuilding_ThenTheLogHasItsText) {
  Reply reply = build({"#pragma clang __debug llvm_fatal_error\n" + kAdd, {}, ""});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("the compiler"), std::string::npos) << reply.log;
}

TEST_F(Process, GivenAnEndlessCompile_WhenBuilding_ThenItEndsInTimeWithAFailureThatSaysSo) {
  auto start = std::chrono::steady_clock::now();
  Reply reply = build({endless(), {}, "-cl-std=CLC++2021"});
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("UPSWEEP_COMPILE_TIMEOUT_S"), std::string::npos) << reply.log.substr(0, 500);
  EXPECT_GE(took.count(), 7.9);
}

TEST_F(Process, GivenAnExplodingProgram_WhenBuilding_ThenItEndsAtTheMemoryLimitWithAFailureThatSaysSo) {
  if (kNeedsHugeAddressSpace) GTEST_SKIP() << "the limit is one of address space";
  Reply reply = build({"constant char big[1ul << 30] = {1};\nkernel void f(global int *a) { a[0] = big[a[1]]; }", {}, ""});
  EXPECT_EQ(reply.status, Status::kBuildFailure);
  EXPECT_NE(reply.log.find("UPSWEEP_COMPILE_MEMORY_MIB"), std::string::npos) << reply.log.substr(0, 500);
  EXPECT_EQ(build({fresh_source(), {}, ""}).status, Status::kSuccess);
}

TEST_F(Process, GivenAKilledServer_WhenBuildingAgain_ThenAnotherIsStarted) {
  int status = in_child("killed-server", [] {
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    // A child may live a little longer than its answer takes.
    std::vector<pid_t> servers;
    if (!eventually([&] { return (servers = servers_with_mark("killed-server")).size() == 1; })) return 2;
    kill(servers[0], SIGKILL);
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 3;
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Process, GivenTheServerIsKilledInABuild_WhenItEnds_ThenTheBuildFailsAndTheNextWorks) {
  pid_t child = fork();
  if (child == 0) {
    setenv("UPSWEEP_TEST_MARK", "killed-with-build", 1);
    Reply reply = build({endless(), {}, "-cl-std=CLC++2021"});
    if (reply.status == Status::kSuccess || reply.log.empty()) _exit(1);
    _exit(build({fresh_source(), {}, ""}).status == Status::kSuccess ? 0 : 2);
  }
  std::vector<pid_t> servers;  // the server and its child
  EXPECT_TRUE(eventually([&] { return (servers = servers_with_mark("killed-with-build")).size() == 2; }));
  for (pid_t server : servers) kill(server, SIGKILL);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(Process, GivenTheApplicationEnds_WhenKilledOrNot_ThenNoServerIsLeft) {
  for (int signal : {0, SIGKILL}) {
    std::string mark = "ended-" + std::to_string(signal);
    int status = in_child(mark, [&] {
      bool built = build({fresh_source(), {}, ""}).status == Status::kSuccess &&
                   eventually([&] { return servers_with_mark(mark).size() == 1; });
      if (signal) raise(signal);
      return built ? 0 : 1;
    });
    EXPECT_EQ(status, signal ? 256 + signal : 0);
    EXPECT_TRUE(eventually([&] { return servers_with_mark(mark).empty(); })) << mark;
  }
}

TEST_F(Process, GivenTheApplicationIsKilledInABuild_WhenItEnds_ThenTheCompilerEndsToo) {
  pid_t child = fork();
  if (child == 0) {
    setenv("UPSWEEP_TEST_MARK", "killed-in-build", 1);
    (void)build({endless(), {}, "-cl-std=CLC++2021"});
    _exit(0);
  }
  // The server and its child.
  ASSERT_TRUE(eventually([] { return servers_with_mark("killed-in-build").size() == 2; }));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(eventually([] { return servers_with_mark("killed-in-build").empty(); }));
}

volatile sig_atomic_t children_signals = 0;

TEST_F(Process, GivenAnApplicationThatWatchesItsChildren_WhenBuilding_ThenItSeesNone) {
  int status = in_child("watching", [] {
    struct sigaction action = {};
    action.sa_handler = [](int) { children_signals = children_signals + 1; };
    sigaction(SIGCHLD, &action, nullptr);
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    if (waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD) return 2;
    return children_signals == 0 ? 0 : 3;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Process, GivenIgnoredSignals_WhenBuilding_ThenItWorks) {
  int status = in_child("ignoring", [] {
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_DFL);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    bool crashed = build({"#pragma clang __debug crash\n", {}, ""}).log.find("signal") != std::string::npos;
    return crashed && build({fresh_source(), {}, ""}).status == Status::kSuccess ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Process, GivenAFork_WhenBothBuild_ThenBothWorkWithServersOfTheirOwn) {
  int status = in_child("forked", [] {
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 1;
    pid_t child = fork();
    if (child == 0)
      _exit(build({fresh_source("// child"), {}, ""}).status == Status::kSuccess &&
                    eventually([] { return servers_with_mark("forked").size() == 2; })
                ? 0
                : 1);
    int child_status = 1;
    waitpid(child, &child_status, 0);
    bool parent = build({fresh_source("// parent"), {}, ""}).status == Status::kSuccess;
    return parent && child_status == 0 ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(eventually([] { return servers_with_mark("forked").empty(); }));
}

TEST_F(Process, GivenClosedStandardFiles_WhenBuilding_ThenItWorks) {
  int status = in_child("closed", [] {
    for (int fd = 0; fd < 64; ++fd) close(fd);
    return build({fresh_source(), {}, ""}).status == Status::kSuccess ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
}

TEST_F(Process, GivenAnInheritableDescriptor_WhenTheServerRuns_ThenItDoesNotHoldIt) {
  int status = in_child("inherit", [] {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)  // no close-on-exec
      return 1;
    if (build({fresh_source(), {}, ""}).status != Status::kSuccess) return 2;
    close(ends[1]);
    char byte = 0;
    return recv(ends[0], &byte, 1, MSG_DONTWAIT) == 0 ? 0 : 3;  // end of file, since no process holds the other end
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace upsweep::compiler::test
