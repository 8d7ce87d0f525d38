// SPDX-License-Identifier: Apache-2.0
#include "core/bench/results/ModuleText.h"

#include <fmt/format.h>

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

std::string averages(const ModuleGroup& group, bool backward) {
    std::string text;
    for (const ModuleResult& runner : group.runners) {
        if (runner.reason.empty()) {
            const double mean =
                stats::summarize(backward ? runner.backwardMs : runner.forwardMs).mean;
            text += (text.empty() ? "" : ", ") + quoted(runner.name) + ": " + asFloat32(mean);
        }
    }
    return "{" + text + "}";
}

}  // namespace

ModuleResult inSeconds(ModuleResult result) {
    for (auto* times : {&result.forwardMs, &result.backwardMs}) {
        for (double& time : *times) {
            time /= 1e3;
        }
    }
    return result;
}

ModuleDocument inSeconds(ModuleDocument document) {
    for (ModuleGroup& group : document.groups) {
        for (ModuleResult& runner : group.runners) {
            runner = inSeconds(std::move(runner));
        }
    }
    return document;
}

std::string moduleHeader(const std::string& sep) {
    return joined({fitted("name"), fitted("avg_fwd"), fitted("std_fwd"), fitted("info_fwd"),
                   fitted("avg_bwd"), fitted("std_bwd"), fitted("info_bwd")},
                  sep);
}

std::string moduleLine(const ModuleResult& result, const std::string& sep) {
    std::vector<std::string> items{fitted(text::printable(result.name))};
    for (const std::vector<double>* times : {&result.forwardMs, &result.backwardMs}) {
        const stats::SampleSummary summary = stats::summarize(*times);
        items.push_back(fitted(fourDigits(summary.mean)));
        // PyTorch's own deviation of a single value.
        items.push_back(fitted(summary.count == 1 ? "nan" : fourDigits(summary.deviation)));
        items.push_back(fitted("None"));
    }
    return joined(items, sep);
}

std::string moduleOssJson(const ModuleDocument& document) {
    std::string text;
    for (const ModuleGroup& group : document.groups) {
        text += text.empty() ? "" : ", ";
        text += quoted(group.key) + ": " + averages(group, false) + ", ";
        text += quoted(group.key + "-backward") + ": " + averages(group, true);
    }
    return json::safeJson("{" + text + "}\n");
}

std::string modulePepJson(const ModuleDocument& document) {
    std::string text;
    for (const ModuleGroup& group : document.groups) {
        for (const bool backward : {false, true}) {
            for (const ModuleResult& runner : group.runners) {
                const std::string metric =
                    group.key + (backward ? "-backward-" : "-") + runner.name;
                for (const double ms : backward ? runner.backwardMs : runner.forwardMs) {
                    text += fmt::format(
                        "Caffe2Observer {{\"type\": \"NET\", \"metric\": {}, \"unit\": \"ms\", "
                        "\"value\": \"{}\"}}\n",
                        quoted(metric), asFloat32(ms));
                }
            }
        }
    }
    return json::safeJson(std::move(text));
}

}  // namespace kinetoscope::bench::results
