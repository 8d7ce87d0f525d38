// SPDX-License-Identifier: Apache-2.0
#include "core/json/OrderedReader.h"

#include <utility>

namespace kinetoscope::json {

bool OrderedReader::number_float(number_float_t value, const string_t& /*text*/) {
    return take(value);
}

bool OrderedReader::binary(binary_t& /*value*/) {
    return false;
}

bool OrderedReader::start_object(std::size_t /*members*/) {
    m_open.push_back({Json::object(), {}, 0});
    return true;
}

bool OrderedReader::start_array(std::size_t /*elements*/) {
    m_open.push_back({Json::array(), {}, 0});
    return true;
}

bool OrderedReader::key(string_t& key) {
    Nest& nest = m_open.back();
    auto& members = nest.value.get_ref<Json::object_t&>();
    const auto [known, isNew] = nest.places.try_emplace(key, members.size());
    nest.place = known->second;
    if (isNew) {
        members.push_back({std::move(key), nullptr});
    }
    return true;
}

bool OrderedReader::parse_error(std::size_t /*position*/, const std::string& /*token*/,
                                const nlohmann::detail::exception& /*error*/) {
    return false;
}

bool OrderedReader::close() {
    Json whole = std::move(m_open.back().value);
    m_open.pop_back();
    return take(std::move(whole));
}

bool OrderedReader::take(Json value) {
    if (m_open.empty()) {
        m_document = std::move(value);
        return true;
    }
    Nest& nest = m_open.back();
    if (nest.value.is_array()) {
        nest.value.push_back(std::move(value));
    } else {
        auto& members = nest.value.get_ref<Json::object_t&>();
        (members.begin() + static_cast<std::ptrdiff_t>(nest.place))->second = std::move(value);
    }
    return true;
}

}  // namespace kinetoscope::json
