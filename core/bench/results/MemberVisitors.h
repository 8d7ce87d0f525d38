// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/bench/results/BenchResult.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::results {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

using fields::Json;

// Every part of a document names its members once, in a members(visitor, part) that the two
// visitors find in their own namespace.

/// Leaves out members with their default value, unless they are always written.
class MemberWriter {
public:
    static constexpr bool kWrites = true;

    explicit MemberWriter(Json& json) : m_json(json) {}

    template <class T>
    void operator()(const char* key, const T& value) {
        if (value != T()) {
            m_json[key] = value;
        }
    }
    void operator()(const char* key, const Json& value) {
        if (!value.empty()) {
            m_json[key] = value;
        }
    }
    template <class T>
    void operator()(const char* key, const std::optional<T>& value) {
        if (!value) {
            return;
        }
        if constexpr (std::is_arithmetic_v<T>) {
            m_json[key] = *value;
        } else {
            (*this)(key, written(*value));
        }
    }
    template <class T>
        requires std::is_class_v<T> && (!std::same_as<T, std::string>)
    void operator()(const char* key, const std::vector<T>& list) {
        if (!list.empty()) {
            always(key, list);
        }
    }
    template <class T>
    void always(const char* key, const T& value) {
        m_json[key] = value;
    }
    template <class T>
        requires std::is_class_v<T> && (!std::same_as<T, std::string>)
    void always(const char* key, const std::vector<T>& list) {
        Json& all = m_json[key] = Json::array();
        for (const T& one : list) {
            all.push_back(written(one));
        }
    }
    void count(const char* key, std::int64_t value) { (*this)(key, value); }
    void exact(const char* key, std::uint64_t value) { m_json[key] = value; }
    void time(const char* key, double value) { m_json[key] = value; }
    template <class Inner>
    void nested(const char* key, Inner inner) {
        Json json = Json::object();
        MemberWriter visit(json);
        inner(visit);
        if (!json.empty()) {
            m_json[key] = std::move(json);
        }
    }
    void samples(const std::vector<BenchSample>& samples) {
        const auto column = [&](const char* key, auto member, bool needed) {
            if (needed) {
                Json& all = m_json[key] = Json::array();
                for (const BenchSample& sample : samples) {
                    all.push_back(sample.*member);
                }
            }
        };
        column("samples_ns", &BenchSample::gpuNs, !samples.empty());
        column("samples_clock_mhz", &BenchSample::clockMhz,
               std::ranges::any_of(samples, [](const auto& one) { return one.clockMhz != 0.0; }));
        column("samples_throttled", &BenchSample::throttled,
               std::ranges::any_of(samples, &BenchSample::throttled));
    }

private:
    template <class T>
    static Json written(const T& part) {
        Json json = Json::object();
        MemberWriter visit(json);
        members(visit, part);
        return json;
    }

    Json& m_json;
};

/// Members that are absent or of another type have their default.
class MemberReader {
public:
    static constexpr bool kWrites = false;
    static constexpr std::int64_t kMaxCalls = 1'000'000'000;  // of one input: sums stay in range

    explicit MemberReader(const Json& json) : m_json(json) {}

    void operator()(const char* key, std::string& value) { value = fields::text(m_json, key); }
    void operator()(const char* key, bool& value) { value = fields::flag(m_json, key); }
    void operator()(const char* key, int& value) { value = fields::small(m_json, key); }
    void operator()(const char* key, std::int64_t& value) { value = fields::integer(m_json, key); }
    void operator()(const char* key, double& value) { value = fields::number(m_json, key); }
    void operator()(const char* key, std::size_t& value) {
        constexpr std::int64_t kMax = std::int64_t{1} << 53;
        value = static_cast<std::size_t>(fields::upTo(m_json, key, kMax));
    }
    void operator()(const char* key, std::optional<double>& value) {
        value = fields::maybeNumber(m_json, key);
    }
    void operator()(const char* key, std::vector<double>& value) {
        value = fields::times(fields::list(m_json, key));
    }
    void operator()(const char* key, std::vector<std::string>& value) {
        value = fields::texts(fields::list(m_json, key));
    }
    void operator()(const char* key, std::map<std::string, std::string>& value) {
        value.clear();
        for (const auto& [name, text] : fields::object(m_json, key).items()) {
            value[name] = text.is_string() ? text.get<std::string>() : "";
        }
    }
    template <class T>
    void operator()(const char* key, std::optional<T>& value) {
        value.reset();
        if (const Json& found = fields::object(m_json, key); !found.empty()) {
            value = read<T>(found);
        }
    }
    template <class T>
    void operator()(const char* key, std::vector<T>& list) {
        list.clear();
        for (const Json& one : fields::objects(m_json, key)) {
            list.push_back(read<T>(one));
        }
    }
    void always(const char* key, auto& value) { (*this)(key, value); }
    // Values that are not finite were written as null.
    void always(const char* key, double& value) {
        if (const auto found = m_json.find(key); found != m_json.end()) {
            value = found->is_null() ? std::nan("") : fields::number(m_json, key);
        }
    }
    void count(const char* key, std::int64_t& value) {
        value = fields::upTo(m_json, key, kMaxCalls);
    }
    void exact(const char* key, std::uint64_t& value) { value = fields::bits64(m_json, key); }
    void time(const char* key, double& value) {
        value = fields::number(m_json, key);
        value = fields::isMeasured(value) ? value : 0.0;
    }
    template <class Inner>
    void nested(const char* key, Inner inner) {
        MemberReader visit(fields::object(m_json, key));
        inner(visit);
    }
    void samples(std::vector<BenchSample>& samples) {
        const Json& clocks = fields::list(m_json, "samples_clock_mhz");
        const Json& flags = fields::list(m_json, "samples_throttled");
        samples.clear();
        std::size_t at = 0;
        for (const Json& value : fields::list(m_json, "samples_ns")) {
            const std::size_t i = at++;
            if (!value.is_number() || !fields::isMeasured(value.get<double>())) {
                continue;
            }
            BenchSample sample{value.get<double>(), 0.0, false};
            if (i < clocks.size() && clocks[i].is_number()) {
                sample.clockMhz = clocks[i].get<double>();
            }
            sample.throttled = i < flags.size() && flags[i].is_boolean() && flags[i].get<bool>();
            samples.push_back(sample);
        }
    }

    template <class T>
    static T read(const Json& json) {
        T part;
        MemberReader visit(json);
        members(visit, part);
        return part;
    }

private:
    const Json& m_json;
};

}  // namespace kinetoscope::bench::results
