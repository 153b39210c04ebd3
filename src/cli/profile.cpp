// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the program with a traced driver, waits for its end, and reports what its processes left.
#include "cli/profile.h"

#include "cli/copy_rate.h"
#include "cli/own_driver.h"
#include "cli/profile_report.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

namespace upsweep::cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile sig_atomic_t program_id = 0;

void pass_on(int signal) {
  if (program_id > 0) kill(static_cast<pid_t>(program_id), signal);
}

// A folder for the sums, removed at the end.
class Folder {
public:
  static Result<Folder> make() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "upsweep-profile-XXXXXX").string();
    if (error || !mkdtemp(name.data())) return fail("cannot make a folder for the profile: {}", std::strerror(errno));
    return Folder(name);
  }
  Folder(Folder &&other) noexcept : path_(std::exchange(other.path_, {})) {}
  Folder &operator=(Folder &&) = delete;
  ~Folder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path &path() const { return path_; }

private:
  explicit Folder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// The timeline's file. While this process has it locked, the program's processes add to it instead of replacing it.
class TimelineFile {
public:
  static Result<TimelineFile> open(const std::filesystem::path &path) {
    if (path.empty()) return TimelineFile(-1);
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return fail("cannot write '{}': {}", path.string(), std::strerror(errno));
    TimelineFile opened(file);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) return fail("another program writes '{}'", path.string());
    if (ftruncate(file, 0) != 0 || write(file, "[\n", 2) != 2)
      return fail("cannot write '{}': {}", path.string(), std::strerror(errno));
    flock(file, LOCK_SH);
    return opened;
  }
  TimelineFile(TimelineFile &&other) noexcept : file_(std::exchange(other.file_, -1)) {}
  TimelineFile &operator=(TimelineFile &&) = delete;
  ~TimelineFile() {
    if (file_ >= 0) close(file_);
  }

  // Ends the array, after the last whole line: a process may have been killed while it wrote.
  void end() const {
    if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) != 0) return;  // a process of the program is still alive
    off_t size = lseek(file_, 0, SEEK_END);
    char last = 0;
    while (size > 0 && pread(file_, &last, 1, size - 1) == 1 && last != '\n') --size;
    char before = 0;
    if (size > 1 && pread(file_, &before, 1, size - 2) == 1 && before == ',') size -= 2;
    const std::string_view rest = "\n]\n";
    if (ftruncate(file_, size) == 0) static_cast<void>(pwrite(file_, rest.data(), rest.size(), size) < 0);
  }

private:
  explicit TimelineFile(int file) : file_(file) {}
  int file_;
};

void set_environment(const ProfileOptions &options, const std::filesystem::path &folder) {
  setenv("UPSWEEP_PROFILE", folder.c_str(), 1);
  if (!options.trace.empty()) setenv("UPSWEEP_TRACE", std::filesystem::absolute(options.trace).c_str(), 1);
}

// Returns in this process. The program's process sends the error of its start, if there is one.
Result<pid_t> start(std::vector<std::string> words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail("cannot start '{}': {}", words[0], std::strerror(errno));
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(stdout);
  const pid_t program = fork();
  if (program == 0) {
    execvp(arguments[0], arguments.data());
    const int error = errno;
    static_cast<void>(write(ends[1], &error, sizeof error) < 0);
    _exit(127);
  }
  int error = program < 0 ? errno : 0;
  close(ends[1]);
  if (program > 0 && read(ends[0], &error, sizeof error) > 0) waitpid(program, nullptr, 0);
  close(ends[0]);
  if (error) return fail("cannot start '{}': {}", words[0], std::strerror(error));
  return program;
}

// A line on the terminal, unless the program's own output may go there.
class ProgressLine {
public:
  explicit ProgressLine(const std::filesystem::path &folder) : folder_(folder) {}
  ~ProgressLine() { erase(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void show() {
    if (!is_shown_) return;
    const ProfileReport report = read_profile(folder_);
    uint64_t launches = 0, busy_ns = 0;
    for (const auto &[key, kernel] : report.kernels) launches += kernel.run.count;
    for (const ProfiledQueue &queue : report.queues) busy_ns += queue.busy_ns;
    const std::chrono::duration<double> ran = Clock::now() - start_;
    fmt::print(stderr, "\r\x1b[Kprofiling: {:.0f} s, {} kernels, queues busy for {:.1f} s", ran.count(), launches,
               static_cast<double>(busy_ns) / 1e9);
    std::fflush(stderr);
    is_drawn_ = true;
  }
  void erase() {
    if (std::exchange(is_drawn_, false)) fmt::print(stderr, "\r\x1b[K");
  }

private:
  const std::filesystem::path &folder_;
  const bool is_shown_ = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
  const Clock::time_point start_ = Clock::now();
  bool is_drawn_ = false;
};

int wait_for(pid_t program, const std::filesystem::path &folder) {
  program_id = program;
  struct sigaction action = {};
  // The terminal sends these to the program too, which decides.
  action.sa_handler = SIG_IGN;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGQUIT, &action, nullptr);
  action.sa_handler = pass_on;
  for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
  ProgressLine line(folder);
  int status = 0;
  for (unsigned ticks = 1;; ++ticks) {
    const pid_t ended = waitpid(program, &status, WNOHANG);
    if (ended == program || (ended < 0 && errno != EINTR)) break;
    usleep(ticks < 20 ? 1000 : 20'000);
    if (ticks % 50 == 0) line.show();
  }
  program_id = 0;
  return status;
}

Result<void> write_file(const std::filesystem::path &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) return fail("cannot write '{}'", path.string());
  return {};
}

}  // namespace

Result<int> profile_program(const ProfileOptions &options, std::vector<std::string> words) {
  if (words.empty()) return misuse("PROGRAM is missing: the program to run, and its arguments");
  for (const std::filesystem::path &file : {options.json, options.summary})
    if (!file.empty())
      if (auto written = write_file(file, ""); !written) return Failure(written.error());  // before the program runs
  auto folder = Folder::make();
  if (!folder) return Failure(folder.error());
  auto timeline = TimelineFile::open(options.trace);
  if (!timeline) return Failure(timeline.error());
  prefer_own_driver();
  set_environment(options, folder->path());
  ProfiledProgram program{.name = std::filesystem::path(words[0]).filename().string()};
  const auto begin = Clock::now();
  auto started = start(std::move(words));
  if (!started) return Failure(started.error());
  const int status = wait_for(*started, folder->path());
  program.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  program.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  program.status = program.signal ? 128 + program.signal : WEXITSTATUS(status);
  timeline->end();
  ProfileReport report = read_profile(folder->path());
  if (!options.kernel.empty()) report.keep_kernel(options.kernel);
  const bool runs_on_cpu = std::ranges::any_of(report.kernels, [](const auto &entry) { return entry.second.on_cpu; });
  if (runs_on_cpu) report.copy_rate = measure_copy_rate();
  if (!options.json.empty())
    if (auto written = write_file(options.json, profile_json(report, program)); !written) return Failure(written.error());
  const std::string table = profile_table(report, program);
  if (options.summary.empty())
    fmt::print(stderr, "\n{}", table);
  else if (auto written = write_file(options.summary, table); !written)
    return Failure(written.error());
  return program.status;
}

}  // namespace upsweep::cli
