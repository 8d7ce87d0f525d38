// SPDX-License-Identifier: Apache-2.0
// simdjson_walk FILE: the yardstick for one thread. simdjson's on-demand parser goes over the
// events of a trace in file order and reads seven members of each; arguments are skipped.
#include <fmt/format.h>
#include <simdjson.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace {

using namespace simdjson;

struct Sums {
    std::uint64_t events = 0;
    std::uint64_t textBytes = 0;
    double times = 0.0;
    double ids = 0.0;
};

void addText(ondemand::value value, std::uint64_t& bytes) {
    std::string_view text;
    if (value.get(text) == SUCCESS) {
        bytes += text.size();
    }
}

void addNumber(ondemand::value value, double& sum) {
    double number = 0.0;
    if (value.get(number) == SUCCESS) {
        sum += number;
    }
}

void walkEvent(ondemand::object event, Sums& sums) {
    ++sums.events;
    for (auto field : event) {
        const std::string_view key = field.unescaped_key();
        if (key == "ph" || key == "cat" || key == "name") {
            addText(field.value(), sums.textBytes);
        } else if (key == "ts" || key == "dur") {
            addNumber(field.value(), sums.times);
        } else if (key == "pid" || key == "tid") {
            addNumber(field.value(), sums.ids);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "simdjson_walk FILE\n");
        return 2;
    }
    try {
        const auto begin = std::chrono::steady_clock::now();
        const padded_string text = padded_string::load(argv[1]);
        ondemand::parser parser;
        ondemand::document document = parser.iterate(text);
        Sums sums;
        for (ondemand::object event : document["traceEvents"]) {
            walkEvent(event, sums);
        }
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        fmt::print("{:.3f} s  {} events  {} bytes of text  {:.0f} µs  {:.0f} ids\n",
                   seconds.count(), sums.events, sums.textBytes, sums.times, sums.ids);
    } catch (const simdjson_error& error) {
        fmt::print(stderr, "{}: {}\n", argv[1], error.what());
        return 2;
    }
    return 0;
}
