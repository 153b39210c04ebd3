// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the verbs on files and their options.
#include "cli/files/command_line.h"

#include "cli/files/interrupts.h"
#include "cli/files/verbs.h"

#include <CLI/CLI.hpp>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr const char *kInput = ".npy, a column of CSV, PNG or JPEG; - is standard input";
constexpr const char *kOperations = "sum, product, min, max, and, or or xor";

// What a verb computes with may lie beyond memory; the rest of the library's exceptions are its own checks.
template <class Verb>
Result<void> guarded(const Verb &verb) {
  handle_interrupts();
  try {
    return verb();
  } catch (const std::bad_alloc &) {
    return fail("there is not enough memory");
  } catch (const std::length_error &) {
    return fail("there is not enough memory");
  } catch (const std::exception &error) {
    return fail("{}", error.what());
  }
}

// The name of a file, which is not empty: an empty one is a variable of a shell that is not set.
CLI::Option *add_file(CLI::App &app, const std::string &name, std::filesystem::path &path, const std::string &help) {
  return app.add_option_function<std::string>(
      name,
      [name, &path](const std::string &text) {
        if (text.empty()) throw CLI::ValidationError(name, "the name of a file is empty");
        path = text;
      },
      help);
}

void declare_files(CLI::App &app, FileOptions &options, bool is_picture = false) {
  add_file(app, "in", options.in, is_picture ? "PNG or JPEG" : kInput)->required();
  auto *out =
      add_file(app, "--out", options.out,
               is_picture ? "a .png file, or - for standard output"
                          : "a .npy, .csv, .tsv or .txt file, or - for standard output; without it the result is only shown");
  if (is_picture) out->required();
  if (!is_picture) {
    app.add_option("--column", options.input.column, "of CSV: a name of the first line, or a number from 1 on");
    app.add_option("--separator", options.input.separator,
                   "of CSV: the byte between fields, such as ';' or '\\t' (',', of .tsv a tab)");
    app.add_option("--header", options.input.header, "of CSV: whether the first line is one, yes or no; else its fields say so")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, Header>{{"yes", Header::kYes}, {"no", Header::kNo}, {"auto", Header::kAuto}}));
    app.add_option("--missing", options.input.missing,
                   "of CSV: empty fields, NA and null are a NaN (nan), left out (skip) or an error (error)")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, Missing>{{"nan", Missing::kNan}, {"skip", Missing::kSkip}, {"error", Missing::kError}}));
  }
  app.add_flag("-q,--quiet", options.is_quiet, "no summary and no progress bar");
}

void declare_device(CLI::App &app, FileOptions &options) {
  app.add_option("--device", options.device,
                 "cpu, gpu or a number as in `upsweep info`: by the library for OpenCL; without it by threads");
}

void declare_key_column(CLI::App &app, FileOptions &options) {
  app.add_option("--key-column", options.key_column, "of CSV: the column of the second file");
}

template <class Options>
void declare_operation(CLI::App &app, Options &options) {
  app.add_option("--op", options.operation, kOperations);
  app.add_option("--axis", options.axis,
                 "along this axis, from 0 on or from -1 back; without it all elements are one sequence");
  add_file(app, "--by-key", options.keys, "a file of keys, whose runs of equal neighbours have totals of their own");
  declare_key_column(app, options);
  app.add_option("--dtype", options.dtype, "type of the results, such as float64; sums and products of integers have 64 bits");
}

}  // namespace

struct FileCommands::Options {
  ScanOptions scan;
  ReduceOptions reduce;
  SelectOptions select;
  UniqueOptions unique;
  SortOptions sort;
  HistogramOptions histogram;
  SatOptions sat;
  BlurOptions blur;
  std::vector<std::pair<CLI::App *, std::function<Result<void>()>>> verbs;

  void add_scan(CLI::App &app) {
    auto *verb = app.add_subcommand("scan", "running totals of a file");
    declare_files(*verb, scan);
    declare_device(*verb, scan);
    declare_operation(*verb, scan);
    verb->add_flag("--exclusive", scan.is_exclusive, "totals of the elements before each");
    verb->add_flag("--backward", scan.is_backward, "from the last element to the first");
    verbs.emplace_back(verb, [this] { return cli::scan(scan); });
  }
  void add_reduce(CLI::App &app) {
    auto *verb = app.add_subcommand("reduce", "totals of a file");
    declare_files(*verb, reduce);
    declare_device(*verb, reduce);
    declare_operation(*verb, reduce);
    add_file(*verb, "--keys-out", reduce.keys_out, "with --by-key: a file for the key of each total");
    verbs.emplace_back(verb, [this] { return cli::reduce(reduce); });
  }
  void add_select(CLI::App &app) {
    auto *verb = app.add_subcommand("select", "the elements that a comparison or flags keep");
    declare_files(*verb, select);
    declare_device(*verb, select);
    verb->add_option("--where", select.where, "a comparison, such as 'x > 3', '0 <= x < 5' or 'x != 7'");
    add_file(*verb, "--flags", select.flags, "a file of numbers, which keep where they are not 0");
    declare_key_column(*verb, select);
    verbs.emplace_back(verb, [this] { return cli::select(select); });
  }
  void add_unique(CLI::App &app) {
    auto *verb = app.add_subcommand("unique", "one element of each run of equal neighbours; sort first for all that are equal");
    declare_files(*verb, unique);
    declare_device(*verb, unique);
    add_file(*verb, "--counts", unique.counts, "a file for the lengths of the runs");
    verbs.emplace_back(verb, [this] { return cli::unique(unique); });
  }
  void add_sort(CLI::App &app) {
    auto *verb = app.add_subcommand("sort", "elements, or rows of a table, in order, in memory; equal ones keep theirs");
    declare_files(*verb, sort);
    declare_device(*verb, sort);
    verb->add_flag("--descending", sort.is_descending, "from the greatest to the least");
    verb->add_flag("--arg", sort.wants_indices, "the indices of the elements instead of them");
    add_file(*verb, "--by", sort.keys, "a file of keys: the elements are brought in their order");
    declare_key_column(*verb, sort);
    verbs.emplace_back(verb, [this] { return cli::sort(sort); });
  }
  void add_histogram(CLI::App &app) {
    auto *verb = app.add_subcommand("histogram", "elements counted in bins of equal width; a picture's by channel");
    declare_files(*verb, histogram);
    verb->add_option("--bins", histogram.bins, "number of bins (256)");
    verb->add_option("--range", histogram.range,
                     "a,b: the first bin's begin and the last one's end; without it the least and the "
                     "greatest element, or 0 and 256 of pictures");
    verbs.emplace_back(verb, [this] { return cli::histogram(histogram); });
  }
  void add_sat(CLI::App &app) {
    auto *verb = app.add_subcommand("sat", "the summed-area table of a matrix or a picture");
    declare_files(*verb, sat);
    verb->add_option("--dtype", sat.dtype, "type of the sums; without it 64 bits");
    verbs.emplace_back(verb, [this] { return cli::sat(sat); });
  }
  void add_blur(CLI::App &app) {
    auto *verb = app.add_subcommand("blur", "a picture blurred by boxes, or as a lens does by depth");
    declare_files(*verb, blur, true);
    verb->add_option("--radius", blur.radius, "in pixels; with --depth that of a pixel whose depth is 1 away from the focus")
        ->required();
    add_file(*verb, "--depth", blur.depth, "depths of 0 to 1: PNG, JPEG or .npy of the picture's size");
    verb->add_option("--focus", blur.focus, "the depth that is sharp (0.5)");
    verb->add_option("--range", blur.range, "how far depths around the focus are sharp (0)");
    verbs.emplace_back(verb, [this] { return cli::blur(blur); });
  }
};

FileCommands::FileCommands(CLI::App &app) : options_(std::make_unique<Options>()) {
  options_->add_scan(app);
  options_->add_reduce(app);
  options_->add_select(app);
  options_->add_unique(app);
  options_->add_sort(app);
  options_->add_histogram(app);
  options_->add_sat(app);
  options_->add_blur(app);
}

FileCommands::~FileCommands() = default;

std::function<Result<void>()> FileCommands::parsed() const {
  for (const auto &[verb, run] : options_->verbs)
    if (verb->parsed()) return [&run] { return guarded(run); };
  return {};
}

}  // namespace upsweep::cli
