// SPDX-License-Identifier: Apache-2.0
#include "core/bench/modules/ModuleStream.h"

#include <algorithm>

#include "core/bench/results/BenchJson.h"
#include "core/bench/results/JsonFields.h"

namespace kinetoscope::bench::modules {

using namespace results::fields;

std::string modulePlanLine(const ModuleDocument& document) {
    const results::fields::Json json = results::fields::written(moduleDocumentJson(document));
    return results::fields::dump({{"event", "plan"}, {"document", json}}, -1);
}

std::string moduleStartLine(const std::string& group, const std::string& runner) {
    return results::fields::dump({{"event", "start"}, {"group", group}, {"name", runner}}, -1);
}

std::string moduleResultLine(const ModuleDocument& document, const ModuleGroup& group,
                             const ModuleResult& runner) {
    return results::fields::dump(
        {{"event", "result"},
         {"group", group.key},
         {"runner", results::fields::written(moduleRunnerJson(group, runner))},
         {"device", document.device},
         {"torch", {{"version", document.torchVersion}, {"threads", document.threads}}},
         {"gpu", results::fields::written(results::gpuJson(document.gpu))}},
        -1);
}

ModuleStream::Change ModuleStream::take(std::string_view line) {
    const auto json = results::fields::jsonObject(line);
    const std::string event = json ? results::fields::text(*json, "event") : std::string();
    if (event == "plan") {
        auto document = parseModuleDocument(
            results::fields::dump(results::fields::object(*json, "document"), -1));
        if (!document) {
            return Change::None;
        }
        open(std::move(*document));
        return Change::Plan;
    }
    if (event == "start") {
        m_running =
            results::fields::text(*json, "group") + "/" + results::fields::text(*json, "name");
        return Change::Started;
    }
    if (event != "result") {
        return Change::None;
    }
    m_document.device = results::fields::text(*json, "device");
    m_document.torchVersion =
        results::fields::text(results::fields::object(*json, "torch"), "version");
    m_document.threads = results::fields::small(results::fields::object(*json, "torch"), "threads");
    m_document.gpu =
        results::parseGpu(results::fields::dump(results::fields::object(*json, "gpu"), -1))
            .value_or(results::GpuDescription());
    return takeResult(results::fields::dump(results::fields::object(*json, "runner"), -1),
                      results::fields::text(*json, "group"));
}

void ModuleStream::open(ModuleDocument document) {
    m_document = std::move(document);
    m_running.clear();
    m_done = 0;
}

ModuleStream::Change ModuleStream::takeResult(std::string_view runnerJson,
                                              const std::string& group) {
    auto runner = parseModuleRunner(runnerJson);
    const auto at = std::ranges::find(m_document.groups, group, &ModuleGroup::key);
    if (!runner || at == m_document.groups.end()) {
        return Change::None;
    }
    const auto place = std::ranges::find(at->runners, runner->name, &ModuleResult::name);
    if (place == at->runners.end()) {
        return Change::None;
    }
    *place = std::move(*runner);
    m_running.clear();
    ++m_done;
    return Change::Result;
}

}  // namespace kinetoscope::bench::modules
