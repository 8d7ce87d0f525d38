// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/Settings.h"

namespace kinetoscope {

SettingBase::SettingBase(Settings& owner, const char* key) : m_owner(owner), m_key(key) {
    owner.m_all.push_back(this);
}

QVariant SettingBase::stored() const {
    return m_owner.m_store ? m_owner.m_store->value(key()) : m_owner.m_memory.value(key());
}

void SettingBase::store(const QVariant& value) {
    if (m_owner.m_store) {
        m_owner.m_store->setValue(key(), value);
    } else {
        m_owner.m_memory.insert(key(), value);
    }
}

Settings::Settings(const QString& iniFile)
    : m_store(iniFile.isEmpty() ? std::make_unique<QSettings>(
                                      QSettings::IniFormat, QSettings::UserScope,
                                      QStringLiteral("kinetoscope"), QStringLiteral("kinetoscope"))
                                : std::make_unique<QSettings>(iniFile, QSettings::IniFormat)) {}

Settings::Settings(InMemory) {}

void addRecentFile(Settings& settings, const QString& path) {
    QStringList files = settings.recentFiles.value();
    files.removeAll(path);
    files.prepend(path);
    settings.recentFiles.set(files.mid(0, kMostRecentFiles));
}

void removeRecentFile(Settings& settings, const QString& path) {
    QStringList files = settings.recentFiles.value();
    files.removeAll(path);
    settings.recentFiles.set(files);
}

}  // namespace kinetoscope
