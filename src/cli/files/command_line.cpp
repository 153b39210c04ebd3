// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the verbs on files and their options.
#include "cli/files/command_line.h"

#include "cli/declare.h"
#include "cli/files/csv_layout.h"
#include "cli/files/interrupts.h"
#include "cli/files/memory.h"
#include "cli/files/operators.h"
#include "cli/files/verbs.h"

#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace upsweep::cli {
namespace {

constexpr const char *kInput = ".npy, a column of CSV, PNG or JPEG; - is standard input";
// A verb may run out of memory; other exceptions of the library are its own checks.
template <class Verb>
Result<void> guarded(const Verb &verb) {
  handle_interrupts();
  try {
    return verb();
  } catch (const std::bad_alloc &) {
    return fail("not enough memory");
  } catch (const std::length_error &) {
    return fail("not enough memory");
  } catch (const std::exception &error) {
    return fail("{}", error.what());
  }
}

// Words and the settings that they stand for.
template <class Value>
void add_setting(CLI::App &app, const std::string &name, Value &to, const std::map<std::string, Value> &settings,
                 const std::string &help) {
  std::string words;
  for (const auto &[word, value] : settings) words += (words.empty() ? "" : "|") + word;
  const auto store = [=, &to](const std::string &text) {
    const auto found = settings.find(text);
    if (found == settings.end())
      throw CLI::ValidationError(
          fmt::format("{} '{}': write {}{}", name, text, words, usage::suggestion(text, usage::words_of({{}, words, {}}))));
    to = found->second;
  };
  app.add_option_function<std::string>(name, store, help)->type_name(words);
}

// A type by its name, or by NumPy's code such as <f4.
void add_type(CLI::App &app, const std::string &name, std::string &to, const std::string &help) {
  const auto names = element_type_names();
  const auto store = [=, &to](const std::string &text) {
    if (!parse_element_type(text))
      throw CLI::ValidationError(
          fmt::format("{} '{}': write {}{}", name, text, fmt::join(names, ", "), usage::suggestion(text, names)));
    to = text;
  };
  app.add_option_function<std::string>(name, store, help)->type_name(fmt::format("{}", fmt::join(names, "|")));
}

void declare_tables(CLI::App &app, FileOptions &options) {
  app.add_option("--column", options.input.column,
                 "CSV: the column, by its name in the header or its number from 1; records: the field")
      ->type_name("NAME");
  const auto separator = [&options](const std::string &text) {
    if (const auto byte = parse_separator(text); !byte) throw CLI::ValidationError(byte.error());
    options.input.separator = text;
  };
  app.add_option_function<std::string>("--separator", separator,
                                       "CSV: the byte between fields, such as ';' or '\\t' (default: ',', or a tab for .tsv)")
      ->type_name("BYTE");
  add_setting<Header>(app, "--header", options.input.header,
                      {{"yes", Header::kYes}, {"no", Header::kNo}, {"auto", Header::kAuto}},
                      "CSV: whether the first line is a header; default: decided by its fields");
  add_setting<Missing>(app, "--missing", options.input.missing,
                       {{"nan", Missing::kNan}, {"skip", Missing::kSkip}, {"error", Missing::kError}},
                       "CSV: treat empty fields, NA and null as NaN (nan), leave them out (skip) or stop (error, the default)");
}

void declare_memory(CLI::App &app) {
  const auto limit = [](const std::string &text) {
    const auto bytes = parse_memory(text);
    if (!bytes) throw CLI::ValidationError(bytes.error());
    limit_memory(*bytes);
  };
  app.add_option_function<std::string>("--memory", limit,
                                       "use at most this much memory, such as 500MB or 2GiB; default: half of what is free")
      ->type_name("SIZE");
}

void declare_files(CLI::App &app, FileOptions &options, bool is_picture = false) {
  add_file(app, "in", options.in, "FILE", is_picture ? "PNG or JPEG" : kInput)->required();
  auto *out = add_file(app, "--out", options.out, "FILE",
                       is_picture ? "a .png file, or - for standard output"
                                  : "a .npy, .csv, .tsv or .txt file, .bin or .raw for elements without a header, or - for "
                                    "standard output; default: only "
                                    "print the result");
  if (is_picture)
    out->required();
  else
    declare_tables(app, options);
  if (!is_picture) {
    add_type(app, "--raw", options.input.raw, "the file has no header: its elements have this type");
    declare_memory(app);
  }
  app.add_flag("-q,--quiet", options.is_quiet, "print no summary and no progress bar");
}

void declare_device(CLI::App &app, FileOptions &options) {
  add_choice(app, "--device", options.device, "cpu|gpu|NUMBER",
             "run on an OpenCL device, by its kind or its number in `upsweep info`; default: run on CPU threads");
}

void declare_key_column(CLI::App &app, FileOptions &options) {
  app.add_option("--key-column", options.key_column, "CSV: the column of the second file")->type_name("NAME");
}

template <class Options>
void declare_operation(CLI::App &app, Options &options) {
  add_choice(app, "--op", options.operation, fmt::format("{}", fmt::join(operation_names(), "|")), "the operation (sum)");
  auto *axis = add_whole(
      app, "--axis", std::numeric_limits<int>::min(), std::numeric_limits<int>::max(),
      [&options](int64_t number) { options.axis = static_cast<int>(number); },
      "work along this axis (0 is the first, -1 the last); default: all elements are one sequence");
  add_file(app, "--by-key", options.keys, "FILE", "a file of keys; each run of equal keys has its own totals")->excludes(axis);
  declare_key_column(app, options);
  add_type(app, "--dtype", options.dtype, "type of the results; default: 64 bits for sums and products of integers");
}

}  // namespace

struct FileCommands::Options {
  ScanOptions scan;
  ReduceOptions reduce;
  SelectOptions select;
  UniqueOptions unique;
  SortOptions sort;
  MergeOptions merge;
  HistogramOptions histogram;
  SatOptions sat;
  BlurOptions blur;
  std::vector<std::pair<CLI::App *, std::function<Result<void>()>>> verbs;

  void add_scan(CLI::App &app) {
    auto *verb = app.add_subcommand("scan", "compute running totals of a file");
    declare_files(*verb, scan);
    declare_device(*verb, scan);
    declare_operation(*verb, scan);
    verb->add_flag("--exclusive", scan.is_exclusive, "leave each element out of its own total");
    verb->add_flag("--backward", scan.is_backward, "scan from the last element to the first");
    add_examples(*verb, {{"upsweep scan a.npy --out totals.npy", "running totals of all elements"},
                         {"upsweep scan sales.csv --column amount", "shown, not stored"},
                         {"upsweep scan m.npy --op max --axis 0 --backward --out peaks.npy",
                          "maxima along the first axis, from its end"}});
    verbs.emplace_back(verb, [this] { return cli::scan(scan); });
  }
  void add_reduce(CLI::App &app) {
    auto *verb = app.add_subcommand("reduce", "compute totals of a file");
    declare_files(*verb, reduce);
    declare_device(*verb, reduce);
    declare_operation(*verb, reduce);
    add_file(*verb, "--keys-out", reduce.keys_out, "FILE", "with --by-key: write the key of each total to this file");
    add_examples(*verb, {{"upsweep reduce a.npy --op sum --dtype float64", "the total of all elements"},
                         {"upsweep reduce sales.csv --column amount --by-key sales.csv --key-column region --keys-out "
                          "regions.csv --out totals.csv",
                          "a total for each run of a region"}});
    verbs.emplace_back(verb, [this] { return cli::reduce(reduce); });
  }
  void add_select(CLI::App &app) {
    auto *verb = app.add_subcommand("select", "keep the elements that a comparison or flags select");
    declare_files(*verb, select);
    declare_device(*verb, select);
    add_text(*verb, "--where", select.where, "TEST", "keep elements for which this is true: 'x > 3', '0 <= x < 5' or 'x != 7'");
    add_file(*verb, "--flags", select.flags, "FILE", "a file of numbers; keep elements whose number is not 0");
    declare_key_column(*verb, select);
    add_examples(*verb, {{"upsweep select a.npy --where '0 <= x < 5' --out some.npy", "the elements from 0 to 5"},
                         {"upsweep select sales.csv --column amount --where 'x > 2'", "shown, not stored"}});
    verbs.emplace_back(verb, [this] { return cli::select(select); });
  }
  void add_unique(CLI::App &app) {
    auto *verb = app.add_subcommand("unique", "keep the first element of each run of equal elements");
    declare_files(*verb, unique);
    declare_device(*verb, unique);
    add_file(*verb, "--counts", unique.counts, "FILE", "write the lengths of the runs to this file");
    add_examples(*verb, {{"upsweep unique a.npy --counts lengths.npy --out firsts.npy",
                          "the runs of equal neighbours, and their lengths"},
                         {"upsweep sort a.npy --quiet --out sorted.npy && upsweep unique sorted.npy", "every value once"}});
    verbs.emplace_back(verb, [this] { return cli::unique(unique); });
  }
  void add_sort(CLI::App &app) {
    auto *verb = app.add_subcommand("sort", "sort elements, rows of a table, or records; equal ones keep their order");
    declare_files(*verb, sort);
    declare_device(*verb, sort);
    verb->add_flag("--descending", sort.is_descending, "sort from the greatest to the least");
    verb->add_flag("--arg", sort.wants_indices, "write the elements' indices instead of the elements");
    add_file(*verb, "--by", sort.keys, "FILE", "a file of keys: sort the elements by them");
    declare_key_column(*verb, sort);
    add_examples(*verb,
                 {{"upsweep sort a.npy --descending --out sorted.npy", "from the greatest to the least"},
                  {"upsweep sort sales.csv --column amount --out sorted.csv", "whole rows, in the order of a column"},
                  {"upsweep sort a.npy --arg --out places.npy", "the index of each element, in the order of the elements"}});
    verbs.emplace_back(verb, [this] { return cli::sort(sort); });
  }
  void add_merge(CLI::App &app) {
    auto *verb = app.add_subcommand(
        "merge", "merge sorted files, also rows and records, into one; equal elements come in the order of the files");
    declare_files(*verb, merge);
    verb->add_option("more", merge.more, "further files, of the same type")->type_name("FILE")->required();
    verb->add_flag("--descending", merge.is_descending, "the files are sorted from the greatest to the least");
    add_examples(*verb, {{"upsweep sort a.npy -q --out sorted.npy && upsweep merge sorted.npy sorted.npy --out all.npy",
                          "every element twice, in order"}});
    verbs.emplace_back(verb, [this] { return cli::merge(merge); });
  }
  void add_histogram(CLI::App &app) {
    auto *verb = app.add_subcommand("histogram", "count elements in bins of equal width; for pictures by channel");
    declare_files(*verb, histogram);
    add_whole(
        *verb, "--bins", 1, kMostBins, [this](int64_t number) { histogram.bins = static_cast<size_t>(number); },
        "number of bins (256)");
    add_text(*verb, "--range", histogram.range, "A,B",
             "start of the first bin and end of the last; default: the least and the greatest element, or 0 and 256 for "
             "pictures");
    add_examples(*verb, {{"upsweep histogram photo.png --bins 64 --out counts.npy", "a row of counts for each channel"},
                         {"upsweep histogram sales.csv --column amount --bins 10 --range 0,100", "ten bins from 0 to 100"}});
    verbs.emplace_back(verb, [this] { return cli::histogram(histogram); });
  }
  void add_sat(CLI::App &app) {
    auto *verb = app.add_subcommand("sat", "compute the summed-area table of a matrix or a picture");
    declare_files(*verb, sat);
    add_type(*verb, "--dtype", sat.dtype, "type of the sums; default: 64 bits");
    add_examples(*verb, {{"upsweep sat m.npy --out table.npy", "the sums of all elements above and left of each"}});
    verbs.emplace_back(verb, [this] { return cli::sat(sat); });
  }
  void add_blur(CLI::App &app) {
    auto *verb = app.add_subcommand("blur", "blur a picture by boxes, or by depth as a lens does");
    declare_files(*verb, blur, true);
    add_real(*verb, "--radius", blur.radius, 0, kMostRadius,
             "in pixels; with --depth: the radius where the depth is 1 away from the focus")
        ->required();
    add_file(*verb, "--depth", blur.depth, "FILE", "depths of 0 to 1: PNG, JPEG or .npy of the picture's size");
    add_real(*verb, "--focus", blur.focus, 0, 1, "the depth that is sharp (0.5)");
    add_real(*verb, "--range", blur.range, 0, std::numeric_limits<double>::infinity(),
             "how far depths around the focus are sharp (0)");
    add_examples(*verb, {{"upsweep blur photo.png --radius 8 --out soft.png", "means over boxes of 17 x 17 pixels"},
                         {"upsweep blur photo.png --depth depth.png --focus 0.4 --radius 40 --out focus.png",
                          "sharp where the depth is 0.4"}});
    verbs.emplace_back(verb, [this] { return cli::blur(blur); });
  }
};

FileCommands::FileCommands(CLI::App &app) : options_(std::make_unique<Options>()) {
  options_->add_scan(app);
  options_->add_reduce(app);
  options_->add_select(app);
  options_->add_unique(app);
  options_->add_sort(app);
  options_->add_merge(app);
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
