// SPDX-License-Identifier: Apache-2.0
#include "core/query/sql/Functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Threads.h"
#include "core/json/Json.h"
#include "core/query/find/NameFilter.h"
#include "core/query/sql/Material.h"
#include "core/stats/Statistics.h"

namespace kinetoscope::query::sql {

namespace {

constexpr std::array<FunctionInfo, 5> kFunctions{{
    {"arg", "arg(id, 'External id')",
     "An argument of a slice, read from the file: number or text (also a number in quotes), lists "
     "and objects as JSON"},
    {"overlaps", "overlaps(start, end, from, to)",
     "1 if two spans overlap; an empty span counts at its start"},
    {"busy", "busy(start, end, gpu [, rank])",
     "Nanoseconds in which the GPU ran kernels, copies or memsets; gpu null: any GPU"},
    {"percentile", "percentile(value, p)", "Aggregate: the p-th percentile, linearly interpolated"},
    {"regexp", "name REGEXP 'gemm|conv'", "RE2, matches anywhere in the text, ignoring case"},
}};

template <class Work>
void inC(sqlite3_context* context, const Work& work) {
    try {
        work();
    } catch (const Stopped&) {
        sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    } catch (const std::bad_alloc&) {
        sqlite3_result_error_nomem(context);
    } catch (const std::exception& error) {
        sqlite3_result_error(context, error.what(), -1);
    }
}

void answerError(sqlite3_context* context, const std::string& message) {
    sqlite3_result_error(context, message.data(), static_cast<int>(message.size()));
}

std::string_view textOf(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr
               ? std::string_view()
               : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

bool anyNull(std::span<sqlite3_value*> values) {
    return std::ranges::any_of(
        values, [](sqlite3_value* value) { return sqlite3_value_type(value) == SQLITE_NULL; });
}

void answerText(sqlite3_context* context, std::string_view text) {
    sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void answerNumber(sqlite3_context* context, std::string_view json) {
    const char* const end = json.data() + json.size();
    std::int64_t whole = 0;
    if (const auto parsed = std::from_chars(json.data(), end, whole);
        parsed.ec == std::errc() && parsed.ptr == end) {
        sqlite3_result_int64(context, whole);
        return;
    }
    double value = 0.0;
    const auto parsed = std::from_chars(json.data(), end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end) {
        sqlite3_result_double(context, value);
    } else {
        answerText(context, json);
    }
}

void answerJson(sqlite3_context* context, std::string_view json) {
    if (json.empty() || json == "null") {
        return;  // null
    }
    if (json == "true" || json == "false") {
        sqlite3_result_int(context, json == "true" ? 1 : 0);
    } else if (json.front() == '"') {
        const auto parsed = json::parseJson(json);
        answerText(context, parsed && parsed->is_string()
                                ? std::string_view(parsed->get_ref<const std::string&>())
                                : trace::unquoted(json));
    } else if (json.front() == '[' || json.front() == '{') {
        answerText(context, json);
    } else {
        answerNumber(context, json);
    }
}

Material& materialOf(sqlite3_context* context) {
    return *static_cast<Material*>(sqlite3_user_data(context));
}

void arg(sqlite3_context* context, int count, sqlite3_value** given) {
    inC(context, [&] {
        const std::span values(given, static_cast<std::size_t>(count));
        if (anyNull(values)) {
            return;
        }
        Material& material = materialOf(context);
        const auto slice = sliceOfId(material, sqlite3_value_int64(values[0]));
        if (!slice) {
            answerError(context, "arg(): no slice has this id; use values of the id column");
            return;
        }
        const auto json = material.facts(slice->file)
                              .arguments()
                              .find(slice->slice, std::string(textOf(values[1])), material.maxBytes,
                                    material.stop);
        if (json) {
            answerJson(context, *json);
        } else {
            answerError(context, json.error().message);
        }
    });
}

void overlaps(sqlite3_context* context, int count, sqlite3_value** given) {
    const std::span values(given, static_cast<std::size_t>(count));
    if (anyNull(values)) {
        return;
    }
    const auto time = [&](std::size_t i) { return TimeNs{sqlite3_value_int64(values[i])}; };
    const TimeSpan other{time(2), time(3)};
    const TimeSpan one{time(0), time(1)};
    sqlite3_result_int(context, one.empty() ? other.contains(one.start) : one.overlaps(other));
}

// The file of that rank; without one the first that has the GPU.
const CoveredTime* busyOf(Material& material, std::int64_t gpu, std::optional<std::int64_t> rank,
                          std::size_t& file) {
    for (file = 0; file < material.files.size(); ++file) {
        if (rank && material.files[file].rank != *rank) {
            continue;
        }
        if (const CoveredTime* const found = material.facts(file).busy(gpu)) {
            return found;
        }
    }
    return nullptr;
}

void busy(sqlite3_context* context, int count, sqlite3_value** given) {
    inC(context, [&] {
        const std::span values(given, static_cast<std::size_t>(count));
        if (count < 3 || count > 4) {
            answerError(context, "busy() takes start, end, gpu and, of several files, rank");
            return;
        }
        if (anyNull(values.first(2))) {
            return;
        }
        Material& material = materialOf(context);
        const bool any = sqlite3_value_type(values[2]) == SQLITE_NULL;
        const auto rank =
            count == 4 ? std::optional<std::int64_t>(sqlite3_value_int64(values[3])) : std::nullopt;
        std::size_t file = 0;
        const CoveredTime* const covered =
            busyOf(material, any ? -1 : sqlite3_value_int64(values[2]), rank, file);
        if (covered == nullptr) {
            return;
        }
        const TimeNs origin = material.files[file].origin;
        const TimeNs from = addTime(origin, std::max<TimeNs>(0, sqlite3_value_int64(values[0])));
        const TimeNs to = addTime(origin, std::max<TimeNs>(0, sqlite3_value_int64(values[1])));
        sqlite3_result_int64(context, covered->inside({from, std::max(from, to)}));
    });
}

struct Percentile {
    std::vector<double> values;
    double percent = -1.0;
};

void percentileStep(sqlite3_context* context, int, sqlite3_value** values) {
    inC(context, [&] {
        auto** kept =
            static_cast<Percentile**>(sqlite3_aggregate_context(context, sizeof(Percentile*)));
        if (kept == nullptr) {
            sqlite3_result_error_nomem(context);
            return;
        }
        if (*kept == nullptr) {
            *kept = new Percentile();
        }
        const double percent = sqlite3_value_double(values[1]);
        if (sqlite3_value_numeric_type(values[1]) == SQLITE_NULL ||
            !(percent >= 0.0 && percent <= 100.0)) {
            answerError(context, "percentile(value, p): p is a number from 0 to 100");
            return;
        }
        (*kept)->percent = percent;
        const int type = sqlite3_value_numeric_type(values[0]);
        if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
            (*kept)->values.push_back(sqlite3_value_double(values[0]));
        }
        const std::size_t most = materialOf(context).maxBytes;
        if (most > 0 && (*kept)->values.size() > most / sizeof(double)) {
            answerError(context, "percentile() of so many values needs more than the memory limit");
        }
    });
}

void percentileEnd(sqlite3_context* context) {
    auto** kept = static_cast<Percentile**>(sqlite3_aggregate_context(context, 0));
    if (kept == nullptr || *kept == nullptr) {
        return;  // of nothing: null
    }
    const std::unique_ptr<Percentile> all(*kept);
    *kept = nullptr;
    if (!all->values.empty()) {
        std::ranges::sort(all->values);
        sqlite3_result_double(context, stats::quantileOfSorted(all->values, all->percent / 100.0));
    }
}

void regexp(sqlite3_context* context, int count, sqlite3_value** given) {
    inC(context, [&] {
        const std::span values(given, static_cast<std::size_t>(count));
        if (anyNull(values)) {
            return;
        }
        auto* known = static_cast<NameFilter*>(sqlite3_get_auxdata(context, 0));
        std::unique_ptr<NameFilter> fresh;
        if (known == nullptr) {
            auto made = NameFilter::make("/" + std::string(textOf(values[0])) + "/");
            if (!made) {
                answerError(context, made.error().message);
                return;
            }
            fresh = std::make_unique<NameFilter>(std::move(*made));
            known = fresh.get();
        }
        sqlite3_result_int(context, known->matches(textOf(values[1])));
        if (fresh) {
            sqlite3_set_auxdata(context, 0, fresh.release(),
                                [](void* filter) { delete static_cast<NameFilter*>(filter); });
        }
    });
}

}  // namespace

std::span<const FunctionInfo> allFunctions() {
    return kFunctions;
}

Result<void> addFunctions(sqlite3* database, Material& material) {
    constexpr int kPlain = SQLITE_UTF8 | SQLITE_INNOCUOUS | SQLITE_DETERMINISTIC;
    const auto add = [&](const char* name, int count, auto* call) {
        return sqlite3_create_function_v2(database, name, count, kPlain, &material, call, nullptr,
                                          nullptr, nullptr) == SQLITE_OK;
    };
    const bool good =
        add("arg", 2, arg) && add("overlaps", 4, overlaps) && add("busy", -1, busy) &&
        add("regexp", 2, regexp) &&
        sqlite3_create_function_v2(database, "percentile", 2, kPlain, &material, nullptr,
                                   percentileStep, percentileEnd, nullptr) == SQLITE_OK;
    return good ? Result<void>() : fail(sqlite3_errmsg(database), ErrorKind::Output);
}

}  // namespace kinetoscope::query::sql
