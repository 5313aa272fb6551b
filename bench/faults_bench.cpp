// Every fault on every hardware model: verdict, reason and time. With --models a column for each
// model.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/faults/matrix_node.hpp"

namespace {

using namespace yardmaster;  // NOLINT: a program of one file
using namespace yardmaster::faults;

struct Cell {
    bool exists = true;    ///< the fault can exist on the model
    bool expected = true;  ///< as tests/faults/fault_table.cpp says
    Verdict verdict = Verdict::kHealthy;
    std::chrono::milliseconds took{0};
};

struct Row {
    std::string fault;
    std::string shown;
    std::vector<Cell> cells;  ///< [model]
};

struct Column {
    const sim::SimModel& model;
    MatrixNode node;
    explicit Column(const sim::SimModel& m) : model(m), node(m) {}
};
using Columns = std::vector<std::unique_ptr<Column>>;

std::string word(Verdict verdict) {
    return verdict == Verdict::kDegraded ? "drain" : std::string(to_string(verdict));
}

Row healthy_row(const std::string& name, Looking looking, const Columns& columns) {
    Row row{name, "", {}};
    for (const auto& column : columns) {
        const Report report = column->node.look_and_keep(looking).report;
        row.cells.push_back(
            {true, report.verdict == Verdict::kHealthy, report.verdict, report.took});
    }
    return row;
}

Row fault_row(const Fault& fault, const Columns& columns) {
    Row row{"`" + std::string(fault.commands) + "`", std::string(fault.shown), {}};
    for (const auto& column : columns) {
        const auto seen = column->node.look_with(fault);
        const bool exists = can_exist(fault.where, column->model);
        Cell cell{exists, seen ? as_expected(fault, column->model, *seen) : !exists};
        if (seen) {
            cell.verdict = seen->report.verdict;
            cell.took = seen->report.took;
        }
        row.cells.push_back(cell);
    }
    return row;
}

void print_by_model(const Row& row) {
    std::printf("| %s | %s |", row.fault.c_str(), row.shown.c_str());
    for (const Cell& cell : row.cells) {
        const std::string text =
            cell.exists ? word(cell.verdict) + " " + std::to_string(cell.took.count()) + " ms"
                        : "–";
        std::printf(" %s%s |", cell.expected ? "" : "! ", text.c_str());
    }
    std::printf("\n");
}

void print_short(const Row& row) {
    std::size_t models = 0;
    std::chrono::milliseconds slowest{0};
    Verdict verdict = Verdict::kHealthy;
    bool expected = true;
    for (const Cell& cell : row.cells) {
        expected = expected && cell.expected;
        if (cell.exists) {
            ++models;
            slowest = std::max(slowest, cell.took);
            verdict = cell.verdict;
        }
    }
    std::printf("| %s | %s%s | %s | %zu | %lld ms |\n",
                row.fault.c_str(),
                expected ? "" : "! ",
                word(verdict).c_str(),
                row.shown.c_str(),
                models,
                static_cast<long long>(slowest.count()));
}

class Printer {
  public:
    explicit Printer(bool by_model) : by_model_(by_model) {}

    void head(const Columns& columns) const {
        if (!by_model_) {
            std::printf("| fault | verdict | shown | models | slowest |\n|---|---|---|---|---|\n");
            return;
        }
        std::string dashes = "|---|---|";
        std::printf("| fault | shown |");
        for (const auto& column : columns) {
            std::printf(" %s |", std::string(column->model.name).c_str());
            dashes += "---|";
        }
        std::printf("\n%s\n", dashes.c_str());
    }
    void print(const Row& row) {
        by_model_ ? print_by_model(row) : print_short(row);
        std::fflush(stdout);
        wrong_ += std::count_if(
            row.cells.begin(), row.cells.end(), [](const Cell& cell) { return !cell.expected; });
    }
    long wrong() const { return wrong_; }

  private:
    bool by_model_;
    long wrong_ = 0;
};

Status print_table(Looking looking, const char* title, Printer& printer) {
    Columns columns;
    for (const sim::SimModel& model : sim::sim_models()) {
        columns.push_back(std::make_unique<Column>(model));
        if (Status status = columns.back()->node.create(); !status) {
            return status;
        }
    }
    std::printf("%s\n\n", title);
    printer.head(columns);
    printer.print(healthy_row("healthy", looking, columns));
    printer.print(healthy_row("healthy, again", looking, columns));
    if (looking != Looking::kPassive) {
        printer.print(healthy_row("healthy, a third time", looking, columns));
    }
    for (const Fault& fault : fault_table()) {
        if (fault.looking == looking) {
            printer.print(fault_row(fault, columns));
        }
    }
    std::printf("\n");
    return Status::ok();
}

void print_reasons() {
    std::printf("Where a fault cannot exist:\n\n");
    std::vector<Where> told = {Where::kEverywhere};
    for (const Fault& fault : fault_table()) {
        if (std::find(told.begin(), told.end(), fault.where) == told.end()) {
            told.push_back(fault.where);
            std::printf("- `%s`: %s\n",
                        std::string(fault.commands).c_str(),
                        std::string(why_not(fault.where)).c_str());
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bool by_model = argc == 2 && std::string_view(argv[1]) == "--models";
    if (argc > 1 && !by_model) {
        std::fprintf(stderr, "usage: faults_bench [--models]\n");
        return 2;
    }
    Printer printer(by_model);
    Status status = print_table(Looking::kPassive, "Passive checks:", printer);
    if (status) {
        status = print_table(Looking::kRdma, "With the RDMA probe:", printer);
    }
    if (status && has_nccl_probe()) {
        status = print_table(Looking::kNccl, "With the NCCL probe:", printer);
    }
    if (!status) {
        std::fprintf(stderr, "%s\n", status.message().c_str());
        return 1;
    }
    print_reasons();
    std::printf("\n%ld results are not as tests/faults/fault_table.cpp says\n", printer.wrong());
    return printer.wrong() == 0 ? 0 : 1;
}
