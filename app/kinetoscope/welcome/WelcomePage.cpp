// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kinetoscope/welcome/WelcomePage.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include "widgets/style/Icons.h"
#include "widgets/style/PlainText.h"
#include "widgets/style/Theme.h"

namespace kinetoscope::app {

namespace {

constexpr int kIconSize = 64;
constexpr int kColumn = 560;
constexpr int kShownRecent = 6;
constexpr int kMinRecent = 200;
constexpr int kMinFolder = 60;
constexpr int kRounding = 3;  // of the widths of parts
const QString kRecentGap = QStringLiteral("    ");

QLabel* makeText(const QString& text, double size, QPalette::ColorRole role) {
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * size);
    if (size > 1.2) {
        font.setWeight(QFont::DemiBold);
    }
    label->setFont(font);
    label->setForegroundRole(role);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    return label;
}

/// Name and folder of a file, both elided to the room that there is: the folder gives way first.
class RecentFileButton final : public QToolButton {
public:
    explicit RecentFileButton(const QString& path)
        : m_name(style::shownText(QFileInfo(path).fileName())),
          m_folder(style::shownText(QDir::toNativeSeparators(QFileInfo(path).absolutePath()))) {
        setObjectName(QStringLiteral("recentFile"));
        setAutoRaise(true);
        setIcon(style::themedIcon(QStringLiteral("recent")));
        setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        setToolTip(style::plainToolTip(path));
        setCursor(Qt::PointingHandCursor);
        setText(style::plainActionText(m_name));
    }

    [[nodiscard]] QSize sizeHint() const override {
        ensurePolished();  // it decides about the font
        const int wanted = qMin(widthOf(m_name), kColumn / 2) + widthOf(kRecentGap) +
                           qMin(widthOf(m_folder), kColumn / 2);
        return {wanted + besideText() + kRounding, QToolButton::sizeHint().height()};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {qMin(sizeHint().width(), kMinRecent), QToolButton::sizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QToolButton::resizeEvent(event);
        const int room = width() - besideText();
        const QString name =
            fontMetrics().elidedText(m_name, Qt::ElideMiddle, qMin(room, kColumn / 2));
        const int left = room - widthOf(name + kRecentGap);
        const QString folder = left < kMinFolder && left < widthOf(m_folder)
                                   ? QString()
                                   : fontMetrics().elidedText(m_folder, Qt::ElideMiddle, left);
        setText(style::plainActionText(folder.isEmpty() ? name : name + kRecentGap + folder));
    }

private:
    [[nodiscard]] int widthOf(const QString& text) const {
        return fontMetrics().horizontalAdvance(text);
    }
    /// The icon and all margins.
    [[nodiscard]] int besideText() const {
        const QString shown = QString(text()).replace(QLatin1String("&&"), QLatin1String("&"));
        return QToolButton::sizeHint().width() - widthOf(shown);
    }

    QString m_name;
    QString m_folder;
};

}  // namespace

WelcomePage::WelcomePage(const std::vector<Sample>& samples, QWidget* parent)
    : QWidget(parent), m_recentTitle(nullptr), m_recent(new QVBoxLayout) {
    // Not shown beside panels, it does not make the window larger than they do.
    setMinimumHeight(1);
    // Where there is too little room, it is scrolled: no row is squeezed.
    auto* page = new QWidget;
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(page);
    scroll->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(10);
    column->addStretch(3);
    auto* icon = new QLabel;
    icon->setAlignment(Qt::AlignCenter);
    icon->setPixmap(
        style::applicationIcon().pixmap(QSize(kIconSize, kIconSize), devicePixelRatioF()));
    column->addWidget(icon);
    column->addWidget(makeText(tr("Kinetoscope"), 2.0, QPalette::WindowText));
    column->addWidget(makeText(tr("See how busy the GPU was, with what, and why it waited."), 1.1,
                               QPalette::PlaceholderText));
    column->addSpacing(16);
    addButtons(*column, samples);
    column->addWidget(makeText(tr("or drop files here: traces of PyTorch, JAX, Nsight Systems, "
                                  "Perfetto or ROCm, recordings, snapshots, results"),
                               1.0, QPalette::PlaceholderText));
    column->addSpacing(16);
    // Side by side, so that the page needs no more height than the longer one.
    auto* lists = new QHBoxLayout;
    lists->setSpacing(32);
    lists->addStretch(1);
    addSamples(*lists, samples);
    auto* recent = new QVBoxLayout;
    recent->setSpacing(0);
    m_recentTitle = makeText(tr("Recent files"), 1.0, QPalette::WindowText);
    recent->addWidget(m_recentTitle);
    recent->addSpacing(10);
    m_recent->setSpacing(2);
    recent->addLayout(m_recent);
    recent->addStretch(1);
    lists->addLayout(recent);
    lists->addStretch(1);
    column->addLayout(lists);
    column->addStretch(4);
    setRecentFiles({});
}

void WelcomePage::addButtons(QVBoxLayout& column, const std::vector<Sample>& samples) {
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    auto* open = new QPushButton(style::themedIcon(QStringLiteral("open")), tr("Open trace…"));
    open->setDefault(true);
    open->setMinimumHeight(34);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    buttons->addWidget(open);
    if (!samples.empty()) {
        auto* example =
            new QPushButton(style::themedIcon(QStringLiteral("sample")), tr("Open the sample"));
        example->setMinimumHeight(34);
        example->setToolTip(samples.front().explanation);
        connect(example, &QPushButton::clicked, this,
                [this, sample = samples.front()] { openSample(sample); });
        buttons->addWidget(example);
        auto* tour = new QPushButton(tr("Take the tour"));
        tour->setObjectName(QStringLiteral("takeTour"));
        tour->setMinimumHeight(34);
        tour->setToolTip(tr("A five-step tour with the sample trace"));
        connect(tour, &QPushButton::clicked, this, &WelcomePage::tourRequested);
        buttons->addWidget(tour);
    }
    buttons->addStretch(1);
    column.addLayout(buttons);
}

void WelcomePage::addSamples(QHBoxLayout& row, const std::vector<Sample>& samples) {
    if (samples.size() < 2) {
        return;
    }
    auto* list = new QVBoxLayout;
    list->setSpacing(0);
    list->addWidget(makeText(tr("Samples"), 1.0, QPalette::WindowText));
    list->addSpacing(10);
    auto* grid = new QGridLayout;
    grid->setVerticalSpacing(2);
    grid->setHorizontalSpacing(12);
    const int rows = (static_cast<int>(samples.size()) + 1) / 2;
    int place = 0;  // down the first column, then the second
    for (const Sample& sample : samples) {
        auto* button = new QToolButton;
        button->setObjectName(QStringLiteral("sample"));
        button->setAutoRaise(true);
        button->setText(sample.title);
        button->setIcon(style::themedIcon(QStringLiteral("sample")));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setToolTip(sample.explanation);
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QToolButton::clicked, this, [this, sample] { openSample(sample); });
        grid->addWidget(button, place % rows, place / rows, Qt::AlignLeft);
        ++place;
    }
    list->addLayout(grid);
    list->addStretch(1);
    row.addLayout(list);
}

void WelcomePage::openSample(const Sample& sample) {
    if (sample.job) {
        emit jobRequested(sample.files);
    } else {
        emit fileRequested(sample.files.front());
    }
}

void WelcomePage::setRecentFiles(const QStringList& paths) {
    while (QLayoutItem* item = m_recent->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& path : paths.mid(0, kShownRecent)) {
        auto* button = new RecentFileButton(path);
        connect(button, &QToolButton::clicked, this, [this, path] { emit fileRequested(path); });
        m_recent->addWidget(button, 0, Qt::AlignLeft);
    }
    m_recentTitle->setVisible(!paths.isEmpty());
}

void WelcomePage::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), style::Theme::current().base());
}

}  // namespace kinetoscope::app
