// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The filter as a classic BPF program, which the kernel runs before each system call
// (Documentation/userspace-api/seccomp_filter).
#include "compiler/safety/call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace upsweep::compiler {
namespace {

/// Memory, open descriptors, reading files, time, and exit. Files can only be opened for reading, see below.
constexpr unsigned kSafeCalls[] = {SYS_read,
                                   SYS_write,
                                   SYS_readv,
                                   SYS_writev,
                                   SYS_pread64,
                                   SYS_pwrite64,
                                   SYS_lseek,
                                   SYS_close,
                                   SYS_dup,
                                   SYS_dup2,
                                   SYS_dup3,
                                   SYS_fcntl,
                                   SYS_fstat,
                                   SYS_stat,
                                   SYS_lstat,
                                   SYS_newfstatat,
                                   SYS_statx,
                                   SYS_access,
                                   SYS_faccessat,
                                   SYS_faccessat2,
                                   SYS_readlink,
                                   SYS_readlinkat,
                                   SYS_getcwd,
                                   SYS_getdents64,
                                   SYS_fstatfs,
                                   SYS_statfs,
                                   SYS_memfd_create,
                                   SYS_ftruncate,
                                   SYS_fallocate,
                                   SYS_poll,
                                   SYS_sendmsg,
                                   SYS_brk,
                                   SYS_munmap,
                                   SYS_mremap,
                                   SYS_madvise,
                                   SYS_futex,
                                   SYS_sched_yield,
                                   SYS_sched_getaffinity,
                                   SYS_getrandom,
                                   SYS_clock_gettime,
                                   SYS_clock_getres,
                                   SYS_clock_nanosleep,
                                   SYS_nanosleep,
                                   SYS_gettimeofday,
                                   SYS_time,
                                   SYS_times,
                                   SYS_getrusage,
                                   SYS_getrlimit,
                                   SYS_uname,
                                   SYS_sysinfo,
                                   SYS_getpid,
                                   SYS_gettid,
                                   SYS_getuid,
                                   SYS_geteuid,
                                   SYS_getgid,
                                   SYS_getegid,
                                   SYS_rt_sigaction,
                                   SYS_rt_sigprocmask,
                                   SYS_rt_sigreturn,
                                   SYS_sigaltstack,
                                   SYS_restart_syscall,
                                   SYS_set_robust_list,
                                   SYS_rseq,
                                   SYS_set_tid_address,
                                   SYS_exit,
                                   SYS_exit_group};

constexpr unsigned kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

constexpr unsigned kPermit = SECCOMP_RET_ALLOW;
constexpr unsigned refuse(unsigned error) { return SECCOMP_RET_ERRNO | error; }

class Program {
public:
  Program() {
    // 32-bit and x32 code use other numbers.
    load(offsetof(seccomp_data, arch));
    jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load_number();
    constexpr unsigned kX32 = 0x40000000;
    jump(BPF_JGE, kX32, 0, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
  }

  void permit(unsigned call) { answer_to(call, kPermit); }

  void answer_to(unsigned call, unsigned what) {
    jump(BPF_JEQ, call, 0, 1);
    answer(what);
  }

  /// Permits `call` if none of these bits is set in an argument, of which the kernel uses 32 bits.
  void permit_without(unsigned call, unsigned argument, unsigned bits, unsigned error) {
    permit_where(call, argument, BPF_JSET, bits, false, error);
  }
  /// Permits `call` if an argument has this value.
  void permit_if_equal(unsigned call, unsigned argument, unsigned value, unsigned error) {
    permit_where(call, argument, BPF_JEQ, value, true, error);
  }
  /// Permits `call` if one of these bits is set in an argument.
  void permit_with(unsigned call, unsigned argument, unsigned bits, unsigned error) {
    permit_where(call, argument, BPF_JSET, bits, true, error);
  }

  void answer(unsigned what) { add(BPF_RET | BPF_K, what); }

  [[nodiscard]] bool install() {
    const sock_fprog program = {static_cast<unsigned short>(code_.size()), code_.data()};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
  }

private:
  /// Permits `call` if a condition on an argument is true, or false.
  void permit_where(unsigned call, unsigned argument, unsigned short condition, unsigned value, bool holds, unsigned error) {
    jump(BPF_JEQ, call, 0, 4);
    load_argument(argument);
    jump(condition, value, holds ? 1 : 0, holds ? 0 : 1);
    answer(refuse(error));
    answer(kPermit);
  }

  void add(unsigned short operation, unsigned value, unsigned char if_true = 0, unsigned char if_false = 0) {
    code_.push_back({operation, if_true, if_false, value});
  }
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void load_argument(unsigned number) { load(offsetof(seccomp_data, args) + 8 * number); }
  void jump(unsigned short condition, unsigned value, unsigned char if_true, unsigned char if_false) {
    add(BPF_JMP | BPF_K | condition, value, if_true, if_false);
  }

  std::vector<sock_filter> code_;
};

}  // namespace

bool can_filter_calls() {
  const unsigned action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool filter_calls() {
  Program program;
  for (const unsigned call : kSafeCalls) program.permit(call);
  program.permit_without(SYS_openat, 2, kWriting, EACCES);
  program.permit_without(SYS_open, 1, kWriting, EACCES);
  // Memory never becomes executable.
  program.permit_without(SYS_mmap, 2, PROT_EXEC, EPERM);
  program.permit_without(SYS_mprotect, 2, PROT_EXEC, EPERM);
  // Threads, which Clang starts for deep recursion. clone3's flags are in memory, so it fails, and glibc falls back to clone.
  program.permit_with(SYS_clone, 0, CLONE_THREAD, EPERM);
  program.answer_to(SYS_clone3, refuse(ENOSYS));
  // abort(), and the limits that LLVM's crash handler sets.
  program.permit_if_equal(SYS_tgkill, 0, static_cast<unsigned>(getpid()), EPERM);
  program.permit_if_equal(SYS_prlimit64, 0, 0, EPERM);
  program.permit(SYS_setrlimit);
  program.permit_if_equal(SYS_prctl, 0, PR_SET_PDEATHSIG, EPERM);
  program.answer(refuse(EPERM));
  return program.install();
}

}  // namespace upsweep::compiler
