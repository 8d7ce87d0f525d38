// SPDX-License-Identifier: Apache-2.0
#include "core/compare/MatchTables.h"

#include <algorithm>
#include <unordered_map>

#include "core/compare/MatchRules.h"
#include "core/text/Format.h"

namespace kinetoscope::compare {

namespace {

struct NameKeys {
    NameId name;
    NameId normalised;
    NameId stripped;
    NameId op;
};

// Everything that depends on a name alone, once for each name of a trace.
class NameTable {
public:
    NameTable(const trace::Trace& trace, StringPool& pool) : m_trace(trace), m_pool(pool) {}

    const NameKeys& of(NameId id) {
        const auto [entry, isNew] = m_keys.try_emplace(id);
        if (isNew) {
            const std::string_view text = m_trace.text(id);
            const std::string normalised = MatchRules::builtin().normalised(text);
            // An operator "triton_poi_fused_add_3" is a kernel's name; others are not C++ names.
            const bool isTriton = text.starts_with("triton_");
            entry->second = {m_pool.intern(text), m_pool.intern(normalised),
                             m_pool.intern(text::shortKernelName(normalised)),
                             m_pool.intern(isTriton ? std::string_view(normalised) : text)};
        }
        return entry->second;
    }

private:
    const trace::Trace& m_trace;
    StringPool& m_pool;
    std::unordered_map<NameId, NameKeys> m_keys;
};

/// How many inputs of each operator are compared. Variants that are handed their output list it
/// behind the inputs.
using Arity = std::unordered_map<NameId, std::size_t>;

/// The first `most` members of a list: "[[2,3],[4]]" and 1 give "[[2,3]]".
std::string firstInputs(std::string_view shapes, std::size_t most) {
    std::size_t count = 0;
    int depth = 0;
    for (std::size_t at = 0; at < shapes.size(); ++at) {
        depth += shapes[at] == '[' ? 1 : shapes[at] == ']' ? -1 : 0;
        const bool ends = depth == 1 && shapes[at] == ']';
        count += ends ? 1U : 0U;
        if (ends && count == most) {
            return std::string(shapes.substr(0, at + 1)) + "]";
        }
    }
    return std::string(shapes);
}

std::size_t inputsOf(std::string_view shapes) {
    std::size_t count = 0;
    int depth = 0;
    for (const char c : shapes) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        count += depth == 1 && c == ']' ? 1U : 0U;
    }
    return count;
}

bool fillNames(const ComparedRun& run, const InputShapes& shapes, StringPool& pool,
               LaunchKeys& keys, Arity& arity) {
    NameTable names(*run.trace, pool);
    bool hasOperators = false;
    for (const KernelLaunch& launch : run.launches) {
        const NameKeys& kernel = names.of(run.trace->nameId(launch.slice));
        keys.name.push_back(kernel.name);
        keys.normalised.push_back(kernel.normalised);
        keys.stripped.push_back(kernel.stripped);
        NameId op = kEmptyName;
        if (launch.launcher != trace::kNoSlice) {
            op = names.of(run.trace->nameId(launch.launcher)).op;
            hasOperators = true;
            if (const auto found = shapes.find(launch.launcher); found != shapes.end()) {
                const std::size_t inputs = inputsOf(found->second);
                const auto [entry, isNew] = arity.try_emplace(op, inputs);
                entry->second = std::min(entry->second, inputs);
            }
        }
        keys.op.push_back(op);
    }
    return hasOperators;
}

void fillShapes(const ComparedRun& run, const InputShapes& shapes, const Arity& arity,
                StringPool& pool, LaunchKeys& keys) {
    for (std::size_t at = 0; at < run.launches.size(); ++at) {
        const auto found = shapes.find(run.launches[at].launcher);
        keys.shapes.push_back(found == shapes.end()
                                  ? kEmptyName
                                  : pool.intern(firstInputs(found->second, arity.at(keys.op[at]))));
    }
}

}  // namespace

MatchTables makeMatchTables(const ComparedRun& base, const ComparedRun& candidate,
                            const BothShapes& shapes) {
    MatchTables tables;
    Arity arity;
    LaunchKeys& ofBase = tables.keys.base;
    LaunchKeys& ofCandidate = tables.keys.candidate;
    const bool baseKnows = fillNames(base, shapes.base, tables.pool, ofBase, arity);
    const bool candidateKnows =
        fillNames(candidate, shapes.candidate, tables.pool, ofCandidate, arity);
    fillShapes(base, shapes.base, arity, tables.pool, ofBase);
    fillShapes(candidate, shapes.candidate, arity, tables.pool, ofCandidate);
    tables.hasOperators = baseKnows && candidateKnows;
    return tables;
}

}  // namespace kinetoscope::compare
