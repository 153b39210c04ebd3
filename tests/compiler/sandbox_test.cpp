// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abilities of a confined process. Each test confines a child, since confinement cannot be undone.
#include "compiler/safety/landlock.h"
#include "compiler/safety/sandbox.h"
#include "compiler/server/confined_job.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

namespace fs = std::filesystem;

namespace upsweep::compiler::test {
namespace {

/// A child's exit status.
int in_child(const std::function<int()> &body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

bool can_read(const fs::path &path) {
  const int file = open(path.c_str(), O_RDONLY);
  char byte = 0;
  const bool result = file >= 0 && read(file, &byte, 1) == 1;
  if (file >= 0) close(file);
  return result;
}

class ConfinedProcess : public testing::Test {
protected:
  void SetUp() override {
    const SandboxSupport support = sandbox_support();
    if (support.landlock == 0 || !support.seccomp) GTEST_SKIP() << "this system has " << describe(support);
    folder_ = fs::temp_directory_path() / ("upsweep-sandbox-" + std::to_string(getpid()));
    fs::create_directories(folder_ / "named");
    fs::create_directories(folder_ / "other");
    std::ofstream(folder_ / "named" / "file") << "text";
    std::ofstream(folder_ / "other" / "file") << "text";
    fs::create_symlink(folder_ / "other" / "file", folder_ / "named" / "link");
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] bool confine_here() const {
    const std::string named = (folder_ / "named").string();
    const Confinement confinement = confine({&named, 1});
    return confinement.failed.empty() && confinement.in_force.landlock != 0 && confinement.in_force.seccomp;
  }

  fs::path folder_;
};

TEST_F(ConfinedProcess, GivenFolders_WhenReading_ThenTheirFilesAloneCanBeRead) {
  ASSERT_TRUE(can_read(folder_ / "other" / "file"));
  EXPECT_EQ(in_child([&] {
              if (!confine_here()) return 1;
              if (!can_read(folder_ / "named" / "file")) return 2;
              if (can_read(folder_ / "other" / "file")) return 3;
              if (can_read(folder_ / "named" / "link")) return 4;
              if (can_read("/etc/passwd") || can_read("/proc/self/environ")) return 5;
              return 0;
            }),
            0);
}

TEST_F(ConfinedProcess, GivenAWritableFolder_WhenChangingIt_ThenNothingIsWrittenOrRemoved) {
  EXPECT_EQ(in_child([&] {
              if (!confine_here()) return 1;
              const fs::path file = folder_ / "named" / "file";
              if (open(file.c_str(), O_WRONLY) >= 0 || open(file.c_str(), O_RDWR) >= 0) return 2;
              if (open((folder_ / "named" / "new").c_str(), O_WRONLY | O_CREAT, 0600) >= 0) return 3;
              if (unlink(file.c_str()) == 0 || rename(file.c_str(), (folder_ / "x").c_str()) == 0) return 4;
              if (mkdir((folder_ / "named" / "new").c_str(), 0700) == 0 || chmod(file.c_str(), 0) == 0) return 5;
              return 0;
            }),
            0);
}

TEST_F(ConfinedProcess, GivenOtherProcessesAndNetworks_WhenReachedFor_ThenTheyAreOutOfReach) {
  const pid_t parent = getpid();
  EXPECT_EQ(in_child([&] {
              if (!confine_here()) return 1;
              if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) return 2;
              if (kill(parent, 0) == 0 || syscall(SYS_tgkill, parent, parent, 0) == 0) return 3;
              const pid_t child = fork();
              if (child == 0) _exit(0);
              if (child > 0) return 4;
              const char *const arguments[] = {"/bin/true", nullptr};
              execv(arguments[0], const_cast<char *const *>(arguments));  // the program's own status would be 0
              void *code = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              if (code == MAP_FAILED) return 5;
              if (mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0) return 6;
              return 42;
            }),
            42);
}

TEST_F(ConfinedProcess, GivenACompilersNeeds_WhenUsed_ThenTheyAreThere) {
  EXPECT_EQ(in_child([&] {
              if (!confine_here()) return 1;
              const int file = memfd_create("test", MFD_CLOEXEC);
              if (file < 0 || write(file, "text", 4) != 4) return 2;
              if (!can_read("/proc/self/fd/" + std::to_string(file))) return 3;  // LLD reads its inputs this way
              int answer = 0;
              std::thread([&] { answer = 7; }).join();  // Clang does this when its stack is short
              return answer == 7 ? 0 : 4;
            }),
            0);
  // A crash must still be reported as one.
  EXPECT_EQ(in_child([&] {
              if (!confine_here()) return 1;
              abort();
            }),
            256 + SIGABRT);
}

/// Answers like a kernel without Landlock.
bool hide_landlock() {
  sock_filter code[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                        {BPF_JMP | BPF_K | BPF_JEQ, 0, 1, 444},
                        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program = {4, code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 &&
         landlock_version() == 0;
}

TEST_F(ConfinedProcess, GivenNoLandlock_WhenItIsRequired_ThenTheBuildFailsAndSaysSoElseItWorks) {
  for (const Sandbox sandbox : {Sandbox::kRequired, Sandbox::kOn})
    EXPECT_EQ(in_child([&] {
                if (!hide_landlock()) return 1;
                Request request;
                request.kind = RequestKind::kCompile;
                request.source = "kernel void f(global int *a) { a[0] = 1; }";
                request.folder = "/";
                request.sandbox = sandbox;
                Session session;
                const Result result = run_confined_job(request, session);
                if (sandbox == Sandbox::kOn) return result.reply.status == Status::kSuccess ? 0 : 2;
                if (result.reply.status != Status::kBuildFailure) return 3;
                return result.reply.log.find("UPSWEEP_COMPILER_SANDBOX=required asks: this system has no Landlock") !=
                               std::string::npos
                           ? 0
                           : 4;
              }),
              0);
}

}  // namespace
}  // namespace upsweep::compiler::test
