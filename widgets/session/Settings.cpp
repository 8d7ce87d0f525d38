// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/Settings.h"

#include <QDir>
#include <QFileInfo>

namespace kinetoscope::session {

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

namespace {

/// As QSettings names the user's own file.
QString ownFile() {
    const QString chosen = qEnvironmentVariable("XDG_CONFIG_HOME");
    return QDir::home().absoluteFilePath(chosen.isEmpty() ? QStringLiteral(".config") : chosen) +
           QStringLiteral("/kinetoscope/kinetoscope.ini");
}

/// QSettings waits for the writer of a pipe, and puts a file in the place of a device, which a
/// link to /dev/null is: such settings are kept in memory.
std::unique_ptr<QSettings> openStore(const QString& iniFile) {
    const QFileInfo file(iniFile.isEmpty() ? ownFile() : iniFile);
    if (file.exists() && !file.isFile()) {
        return nullptr;
    }
    return iniFile.isEmpty() ? std::make_unique<QSettings>(
                                   QSettings::IniFormat, QSettings::UserScope,
                                   QStringLiteral("kinetoscope"), QStringLiteral("kinetoscope"))
                             : std::make_unique<QSettings>(iniFile, QSettings::IniFormat);
}

}  // namespace

Settings::Settings(const QString& iniFile) : m_store(openStore(iniFile)) {}

Settings::Settings(InMemory) {}

void addRecentFile(Settings& settings, const QString& path) {
    QStringList files = settings.recentFiles.value();
    files.removeAll(path);
    files.prepend(path);
    settings.recentFiles.set(files.mid(0, kMaxRecentFiles));
}

void removeRecentFile(Settings& settings, const QString& path) {
    QStringList files = settings.recentFiles.value();
    files.removeAll(path);
    settings.recentFiles.set(files);
}

}  // namespace kinetoscope::session
