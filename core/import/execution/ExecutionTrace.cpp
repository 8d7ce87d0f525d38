// SPDX-License-Identifier: Apache-2.0
#include "core/import/execution/ExecutionTrace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/Threads.h"
#include "core/import/event/JsonCursor.h"
#include "core/import/source/OpenTextSource.h"
#include "core/json/Json.h"

namespace kinetoscope::import::execution {

namespace {

using Json = nlohmann::json;

// The value of the attribute "rf_id"; 0 if there is none.
std::int64_t recordFunctionOf(event::JsonCursor& cursor) {
    std::int64_t id = 0;
    if (!cursor.enter('[')) {
        cursor.skip();
        return id;
    }
    std::string storage;
    while (cursor.nextElement()) {
        const auto attribute = cursor.value();
        bool isId = false;
        std::int64_t value = 0;
        if (attribute) {
            event::visitMembers(*attribute, [&](std::string_view key, const scan::JsonText& text) {
                isId |= key == "name" && event::stringOf(text, storage) == "rf_id";
                value = key == "value" ? event::integerOr(text, 0) : value;
            });
        }
        id = isId ? value : id;
    }
    return id;
}

const Json& at(const Json& inputs, const char* key, std::size_t i) {
    static const Json none;
    const auto list = inputs.find(key);
    return list != inputs.end() && list->is_array() && i < list->size() ? (*list)[i] : none;
}

// Kineto writes values as Python does.
std::string pythonText(const Json& value) {
    if (value.is_boolean()) {
        return value.get<bool>() ? "True" : "False";
    }
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (!value.is_array()) {
        return value.is_null() ? "" : json::jsonText(value);
    }
    std::string text = "[";
    for (const Json& one : value) {
        text += (text.size() > 1 ? ", " : "") + (one.is_array() ? "[]" : pythonText(one));
    }
    return text + "]";
}

// Kineto's word for the type of an input, and whether it is made of tensors.
struct Type {
    std::string name;
    bool hasShape = false;
    bool hasValue = false;
};

Type typeOf(std::string_view type) {
    constexpr std::string_view kTensor = "Tensor(";
    constexpr std::string_view kList = "GenericList[";
    if (type.starts_with(kTensor) && type.ends_with(')')) {
        type.remove_prefix(kTensor.size());
        return {std::string(type.substr(0, type.size() - 1)), true, false};
    }
    if (type.starts_with(kList)) {
        const bool ofTensors = type.substr(kList.size()).starts_with("Tensor");
        return {ofTensors ? "TensorList" : "ScalarList", ofTensors, !ofTensors};
    }
    const bool isScalar =
        type == "Int" || type == "Double" || type == "Bool" || type == "ComplexDouble";
    return {isScalar ? "Scalar" : "", false, isScalar || type == "String"};
}

}  // namespace

Result<std::shared_ptr<const ExecutionTrace>> ExecutionTrace::read(const std::string& path,
                                                                   const std::stop_token& stop) {
    using Read = Result<std::shared_ptr<const ExecutionTrace>>;
    return guarded(
        [&]() -> Read {
            const auto source = source::openTextSource(path);
            if (!source) {
                return tl::unexpected(source.error());
            }
            auto trace = std::make_shared<ExecutionTrace>();
            const auto text = trace->m_whole.load(**source, stop, nullptr);
            if (!text) {
                return fail(fmt::format("'{}': {}", path, text.error().message));
            }
            event::JsonCursor cursor(*text);
            bool hasNodes = false;
            std::string key;
            const bool isObject = cursor.enter('{');
            while (isObject && cursor.nextMember(key)) {
                if (key != "nodes" || !cursor.enter('[')) {
                    cursor.skip();
                    continue;
                }
                hasNodes = true;
                while (cursor.nextElement()) {
                    throwIfStopped(stop);
                    std::int64_t id = 0;
                    std::string_view inputs;
                    if (!cursor.enter('{')) {
                        cursor.skip();
                        continue;
                    }
                    while (cursor.nextMember(key)) {
                        if (key == "attrs") {
                            id = recordFunctionOf(cursor);
                        } else if (const auto value = cursor.value(); value && key == "inputs") {
                            inputs = value->view();
                        }
                    }
                    if (id != 0 && !inputs.empty()) {
                        trace->m_nodes[id] = inputs;
                    }
                }
            }
            if (!hasNodes) {
                return fail(fmt::format(
                    "'{}': is not an execution trace of PyTorch: it has no \"nodes\"", path));
            }
            trace->m_damaged = cursor.damaged();
            return trace;
        },
        path);
}

std::shared_ptr<const Inputs> ExecutionTrace::inputs(std::int64_t recordFunction) const {
    if (!m_nodes.contains(recordFunction)) {
        return nullptr;
    }
    {
        const std::scoped_lock lock(m_lastMutex);
        if (m_lastId == recordFunction) {
            return m_last;
        }
    }
    auto inputs = readInputs(recordFunction);
    const std::scoped_lock lock(m_lastMutex);
    m_lastId = recordFunction;
    m_last = inputs;
    return inputs;
}

std::shared_ptr<const Inputs> ExecutionTrace::readInputs(std::int64_t recordFunction) const {
    const auto object = json::parseJsonObject(m_nodes.at(recordFunction));
    const auto types = object ? object->find("types") : Json::const_iterator();
    if (!object || types == object->end() || !types->is_array()) {
        return nullptr;
    }
    Json dims = Json::array();
    Json names = Json::array();
    Json values = Json::array();
    Json strides = Json::array();
    for (std::size_t i = 0; i < types->size(); ++i) {
        const Json& written = (*types)[i];
        const Type type = typeOf(written.is_string() ? written.get<std::string>() : "");
        const Json& shape = at(*object, "shapes", i);
        const Json& stride = at(*object, "strides", i);
        dims.push_back(type.hasShape && shape.is_array() ? shape : Json::array());
        strides.push_back(type.hasShape && stride.is_array() ? stride : Json::array());
        names.push_back(type.name);
        values.push_back(type.hasValue ? pythonText(at(*object, "values", i)) : "");
    }
    return std::make_shared<const Inputs>(Inputs{json::jsonText(dims), json::jsonText(names),
                                                 json::jsonText(values), json::jsonText(strides)});
}

bool isExecutionTrace(std::string_view head) {
    constexpr std::string_view kSpace = " \t\r\n";
    const auto take = [&](std::string_view word) {
        head.remove_prefix(std::min(head.find_first_not_of(kSpace), head.size()));
        const bool found = head.starts_with(word);
        head.remove_prefix(found ? word.size() : 0);
        return found;
    };
    return take("{") && take("\"schema\"") &&
           (head.find("chakra") != std::string_view::npos ||
            head.find("\"nodes\"") != std::string_view::npos);
}

}  // namespace kinetoscope::import::execution
