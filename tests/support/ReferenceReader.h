// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kinetoscope::test {

using Json = nlohmann::json;

/// Numbers with a point or an exponent are kept as this and their text: no double in between.
inline constexpr char kDecimalMark = '\x02';

/// A document by nlohmann/json, with decimals as text.
class ExactDocument final : public nlohmann::detail::json_sax_dom_parser<Json> {
public:
    explicit ExactDocument(Json& document) : json_sax_dom_parser(document, false) {}
    bool number_float(double /*value*/, const std::string& text) {
        std::string kept = kDecimalMark + text;
        return string(kept);
    }
};

[[nodiscard]] inline Json exactJson(std::string_view text) {
    Json root;
    ExactDocument document(root);
    const bool good = Json::sax_parse(text.begin(), text.end(), &document);
    return good ? root : Json(Json::value_t::discarded);
}

/// Microseconds to nanoseconds, half to even, by long division; for up to 30 digits.
[[nodiscard]] inline std::optional<std::int64_t> referenceNs(const Json& value) {
    __extension__ using Wide = __int128;
    std::string text;
    if (value.is_number_integer()) {
        text = value.dump();
    } else if (value.is_string()) {
        text = value.get<std::string>();
        text.erase(0, text.starts_with(kDecimalMark) ? 1 : 0);
    }
    if (text.empty()) {
        return std::nullopt;
    }
    int exponent = 3;
    if (const auto e = text.find_first_of("eE"); e != std::string::npos) {
        exponent += std::stoi(text.substr(e + 1));
        text.resize(e);
    }
    if (const auto point = text.find('.'); point != std::string::npos) {
        exponent -= static_cast<int>(text.size() - point - 1);
        text.erase(point, 1);
    }
    const bool negative = text.starts_with('-');
    Wide digits = 0;
    for (const char c : text.substr(negative ? 1 : 0)) {
        digits = digits * 10 + (c - '0');
    }
    Wide divisor = 1;
    for (; exponent > 0; --exponent) {
        digits *= 10;
    }
    for (; exponent < 0; ++exponent) {
        divisor *= 10;
    }
    Wide result = digits / divisor;
    const Wide twice = 2 * (digits % divisor);
    result += twice > divisor || (twice == divisor && result % 2 == 1) ? 1 : 0;
    return static_cast<std::int64_t>(negative ? -result : result);
}

/// "5" or "'text'", so that a number and a text differ; "0" without one.
[[nodiscard]] inline std::string referenceId(const Json& event, const char* key) {
    if (!event.contains(key)) {
        return "0";
    }
    const Json& value = event[key];
    return value.is_string() ? "'" + value.get<std::string>() + "'" : value.dump();
}

/// What the columns must say about one complete event, as one line of text for comparing.
struct ReferenceTrace {
    std::vector<std::string> slices;
    std::vector<std::string> operations;
    std::vector<std::string> flows;
    std::vector<std::string> instants;
    std::vector<std::string> counters;
    std::map<std::string, std::string> processNames;
    std::map<std::string, std::string> threadNames;
    std::uint64_t events = 0;
    std::uint64_t launchFlows = 0;
    std::uint64_t metadata = 0;
};

class ReferenceReader {
public:
    [[nodiscard]] static ReferenceTrace read(const Json& document) {
        ReferenceTrace trace;
        for (const Json& event : document["traceEvents"]) {
            ++trace.events;
            const std::string phase = event["ph"];
            const std::string cat = event.value("cat", "");
            const std::string track =
                referenceId(event, "pid") + "/" + referenceId(event, "tid") + " ";
            const Json args = event.value("args", Json::object());
            const std::string time =
                event.contains("ts") ? std::to_string(*referenceNs(event["ts"])) + " " : "";
            const std::string name = event.value("name", "");
            if (phase == "X") {
                trace.slices.push_back(track + time + slice(event, cat, args));
                if (cat == "kernel" || cat == "gpu_memcpy" || cat == "gpu_memset") {
                    trace.operations.push_back(operation(event, args));
                }
            } else if (phase == "s" || phase == "t" || phase == "f") {
                if (cat == "ac2g") {
                    ++trace.launchFlows;
                } else {
                    trace.flows.push_back(track + time + phase + event["id"].dump() + name + cat);
                }
            } else if (phase == "i") {
                trace.instants.push_back(track + time + name + event.value("s", "t"));
                if (name == "[memory]") {
                    memory(trace, referenceId(event, "pid") + " " + time, args);
                }
            } else if (phase == "C") {
                counters(trace, event, time + name + " ", args);
            } else if (phase == "M") {
                ++trace.metadata;
                if (name == "process_name") {
                    trace.processNames[referenceId(event, "pid")] = args["name"];
                } else if (name == "thread_name") {
                    trace.threadNames[track] = args["name"];
                }
            }
        }
        return trace;
    }

private:
    static std::string number(const Json& args, const char* key, const std::string& otherwise) {
        return args.contains(key) && args[key].is_number_integer() ? args[key].dump() : otherwise;
    }

    static std::string slice(const Json& event, const std::string& cat, const Json& args) {
        const auto duration =
            event.contains("dur") ? referenceNs(event["dur"]) : std::optional<std::int64_t>();
        std::string line = std::to_string(std::max<std::int64_t>(duration.value_or(0), 0));
        line += " " + event.value("name", "") + " " + cat;
        const bool ids = cat != "python_function" && cat != "overhead" && cat != "Trace" &&
                         cat != "cpu_instant_event" && cat != "external_correlation" &&
                         cat != "net" && cat != "ac2g" && cat != "fwdbwd";
        return ids ? line + " " + number(args, "correlation", "-") + " " +
                         number(args, "External id", "-")
                   : line + " - -";
    }

    static std::string triple(const Json& args, const char* key) {
        std::string line;
        for (std::size_t i = 0; i < 3; ++i) {
            line += args.contains(key) ? args[key][i].dump() + "," : "0,";
        }
        return line + " ";
    }

    static std::string operation(const Json& event, const Json& args) {
        return "gpu " + referenceId(event, "pid") + " stream " +
               number(args, "stream", referenceId(event, "tid")) + " " + triple(args, "grid") +
               triple(args, "block") + number(args, "registers per thread", "0") + " " +
               number(args, "shared memory", "0") + " " +
               number(args, "est. achieved occupancy %", "-1") + " " + number(args, "bytes", "0") +
               " " + number(args, "graph id", "0") + " " +
               (args.contains("Collective name") ? "collective" : "own");
    }

    // The totals of a device are a counter of their own; the CPU has none that are reserved.
    static void memory(ReferenceTrace& trace, const std::string& begin, const Json& args) {
        const bool onGpu = args.value("Device Type", 0) != 0;
        const std::string row =
            onGpu ? "GPU " + std::to_string(args.value("Device Id", 0)) + " memory "
                  : "CPU memory ";
        for (const char* series : {"Total Allocated", "Total Reserved"}) {
            if (args.contains(series) && (onGpu || std::string(series) == "Total Allocated")) {
                trace.counters.push_back(begin + row + series + " " +
                                         std::to_string(args[series].get<double>()));
            }
        }
    }

    static void counters(ReferenceTrace& trace, const Json& event, const std::string& begin,
                         const Json& args) {
        for (const auto& [key, value] : args.items()) {
            if (value.is_number_integer()) {
                trace.counters.push_back(referenceId(event, "pid") + " " + begin + key + " " +
                                         std::to_string(value.get<double>()));
            }
        }
    }
};

}  // namespace kinetoscope::test
