// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleText.h"

#include <fmt/format.h>

#include <string_view>

#include "core/bench/operators/InputValue.h"
#include "core/json/Json.h"
#include "core/text/Printable.h"

namespace kinetoscope::bench::results {

namespace {

constexpr std::size_t kWidth = 16;

// Too long a text loses its end.
std::string fitted(const std::string& text) {
    return text.size() < kWidth ? std::string(kWidth - text.size(), ' ') + text
                                : text.substr(0, kWidth);
}

std::string joined(const std::vector<std::string>& items, const std::string& sep) {
    return fmt::format("{}", fmt::join(items, sep));
}

std::string fourDigits(double value) {
    return fmt::format("{:.4g}", value);
}

// The digits of the float that fastrnns keeps times in.
std::string asFloat32(double value) {
    return operators::formatFloat(static_cast<double>(static_cast<float>(value)));
}

// As json.dumps() writes a string.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += std::string{'\\', c};
        } else if (byte < 0x20) {
            out += fmt::format("\\u{:04x}", byte);
        } else {
            out += c;
        }
    }
    return out + "\"";
}

// Of a direction that was not measured: nothing.
std::vector<double> timesOf(const BenchItem& runner, const char* direction, double unit) {
    std::vector<double> times;
    if (const BenchSeries* series = runner.find(direction)) {
        for (const BenchSample& sample : series->samples) {
            times.push_back(sample.gpuNs / unit);
        }
    }
    return times;
}

// "lstm", "lstm-backward": what a group is called in fastrnns' JSON.
std::string nameOf(const BenchItem& group, std::string_view direction) {
    return direction == kDirections[0] ? group.key : fmt::format("{}-{}", group.key, direction);
}

std::string averages(const BenchItem& group, const char* direction, double unit) {
    std::string text;
    for (const BenchItem& runner : group.parts) {
        if (runner.reason.empty()) {
            const double mean = stats::summarize(timesOf(runner, direction, unit)).mean;
            text += (text.empty() ? "" : ", ") + quoted(runner.name) + ": " + asFloat32(mean);
        }
    }
    return "{" + text + "}";
}

}  // namespace

std::string moduleHeader(const std::string& sep) {
    return joined({fitted("name"), fitted("avg_fwd"), fitted("std_fwd"), fitted("info_fwd"),
                   fitted("avg_bwd"), fitted("std_bwd"), fitted("info_bwd")},
                  sep);
}

std::string moduleLine(const BenchItem& runner, const std::string& sep, double unit) {
    std::vector<std::string> items{fitted(text::printable(runner.name))};
    for (const char* direction : kDirections) {
        const stats::SampleSummary summary = stats::summarize(timesOf(runner, direction, unit));
        items.push_back(fitted(fourDigits(summary.mean)));
        // PyTorch's own deviation of a single value.
        items.push_back(fitted(summary.count == 1 ? "nan" : fourDigits(summary.deviation)));
        items.push_back(fitted("None"));
    }
    return joined(items, sep);
}

std::string moduleOssJson(const ResultDocument& document, double unit) {
    std::string text;
    for (const BenchItem& group : document.items) {
        for (const char* direction : kDirections) {
            text += text.empty() ? "" : ", ";
            text += quoted(nameOf(group, direction)) + ": " + averages(group, direction, unit);
        }
    }
    return json::safeJson("{" + text + "}\n");
}

std::string modulePepJson(const ResultDocument& document, double unit) {
    std::string text;
    for (const BenchItem& group : document.items) {
        for (const char* direction : kDirections) {
            for (const BenchItem& runner : group.parts) {
                const std::string metric = nameOf(group, direction) + "-" + runner.name;
                for (const double time : timesOf(runner, direction, unit)) {
                    text += fmt::format(
                        "Caffe2Observer {{\"type\": \"NET\", \"metric\": {}, \"unit\": \"ms\", "
                        "\"value\": \"{}\"}}\n",
                        quoted(metric), asFloat32(time));
                }
            }
        }
    }
    return json::safeJson(std::move(text));
}

}  // namespace kinetoscope::bench::results
