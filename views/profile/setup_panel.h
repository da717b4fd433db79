#pragma once

#include <functional>
#include <map>
#include <span>

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "views/document.h"
#include "views/panel.h"

namespace views {

/// A number with the words for it.
struct Choice {
    double number;
    const char* text;
};

/// How the model is run: inputs, sizes of symbols, threads, how long to measure, limits. Acts on the current
/// document.
class SetupPanel : public Panel {
    Q_OBJECT

public:
    explicit SetupPanel(QWidget* parent = nullptr);
    void setDocument(Document* document) override;
    QSize sizeHint() const override { return {260, 420}; }

    /// The box of a symbol, or null.
    QSpinBox* symbolBox(const std::string& symbol) const;
    QPushButton* runButton() { return run_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void rebuild();
    void refresh();
    void addSymbols();
    void addInputs();
    /// Says of how many there is no row.
    void addRest(size_t count);
    void addLimits();
    /// `into` says which member the chosen number becomes.
    template <class T>
    void addChoice(const QString& label, std::span<const Choice> choices,
                   const std::function<T&(RunSettings&)>& into);
    void chooseFile(const std::string& input);
    void change(const std::function<void(RunSettings&)>& edit);

    Document* document_ = nullptr;
    QWidget* content_ = nullptr;
    QFormLayout* form_ = nullptr;
    /// A box of numbers to choose from, and the number that it shows.
    struct ChoiceBox {
        QComboBox* box;
        std::function<double(const RunSettings&)> shown;
    };

    std::vector<ChoiceBox> choices_;
    bool isBuilt_ = false;
    QSpinBox* threads_ = nullptr;
    QPushButton* run_ = nullptr;
    std::map<std::string, QSpinBox*> symbols_;
    std::map<std::string, QPushButton*> files_;
};

}  // namespace views
