// SPDX-License-Identifier: Apache-2.0
// nlohmann_sax FILE: a common JSON library's streaming reader over a trace; events are only
// counted.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

/// Objects at the second level: the elements of traceEvents, and a few of the head.
class Counter final : public nlohmann::json_sax<Json> {
public:
    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t /*value*/) override { return true; }
    bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
    bool string(string_t& /*value*/) override { return true; }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*members*/) override {
        m_objects += ++m_depth == 2 ? 1U : 0U;
        return true;
    }
    bool key(string_t& /*name*/) override { return true; }
    bool end_object() override {
        --m_depth;
        return true;
    }
    bool start_array(std::size_t /*elements*/) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override {
        fmt::print(stderr, "damaged at byte {}\n", position);
        return false;
    }
    [[nodiscard]] std::uint64_t objects() const { return m_objects; }

private:
    int m_depth = 0;
    std::uint64_t m_objects = 0;
};

}  // namespace

int main(int argc, char** argv) {
    std::FILE* file = argc == 2 ? std::fopen(argv[1], "rb") : nullptr;
    if (file == nullptr) {
        fmt::print(stderr, "nlohmann_sax FILE\n");
        return 2;
    }
    const auto begin = std::chrono::steady_clock::now();
    Counter counter;
    const bool good = Json::sax_parse(file, &counter);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::fclose(file);
    fmt::print("{:.3f} s  {} objects\n", seconds.count(), counter.objects());
    return good ? 0 : 2;
}
