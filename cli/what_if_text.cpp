#include <algorithm>
#include <utility>

#include "cli/kind_table.hpp"
#include "cli/node_sets.hpp"
#include "cli/picture_text.hpp"
#include "cli/what_if.hpp"
#include "cli/words.hpp"

namespace yardmaster::cli {
namespace {

void print_picture(const Fabric& fabric,
                   const PlanRequest& request,
                   const PlacementColumn& column,
                   bool unicode,
                   std::ostream& out) {
    std::vector<CellState> states = request.states;
    for (NodeIndex node : column.nodes) {
        states[raw(node)] = CellState::kChosen;
    }
    draw_text(make_picture(fabric, states), {unicode}, out);
    out << '\n';
}

/// One of the two sets, and where it lies.
void print_set(const char* title,
               const Fabric& fabric,
               const PlanRequest& request,
               const PlacementColumn& column,
               bool unicode,
               std::ostream& out) {
    out << title << host_expression(node_names(fabric, in_name_order(fabric, column.nodes)))
        << '\n';
    print_picture(fabric, request, column, unicode, out);
}

void print_sets(const Fabric& fabric,
                const PlanRequest& request,
                const WhatIf& answer,
                bool unicode,
                std::ostream& out) {
    if (answer.same_set()) {
        print_set("Now, and best: ", fabric, request, *answer.now, unicode, out);
        return;
    }
    if (answer.now) {
        print_set("Now: ", fabric, request, *answer.now, unicode, out);
    } else {
        out << "Now it cannot start: " << answer.now_problem << "\n\n";
    }
    print_set("Best when empty: ", fabric, request, answer.best, unicode, out);
}

void print_verdict(const WhatIf& answer, std::ostream& out) {
    if (answer.as_good()) {
        out << "\nNow is as good as this fabric allows.\n";
        return;
    }
    if (!answer.now) {
        return;
    }
    if (answer.slowdown() > 0) {
        out << "\nA step's communication takes " << step_time_text(answer.now->facts)
            << " s now and " << step_time_text(answer.best.facts)
            << " s at best: " << number(answer.slowdown()) << " times as long.\n";
    } else if (no_link(answer.now->facts)) {
        out << "\nNo link joins all nodes of now.\n";
    }
    if (const auto why = deciding_criterion(answer.best.score, answer.now->score)) {
        out << "Now is behind by " << *why << ".\n";
    }
}

void print_obstacles(const Fabric& fabric, const WhatIf& answer, std::ostream& out) {
    if (answer.obstacles.empty()) {
        return;
    }
    out << "\nIn the way of the best:\n";
    for (const Obstacle& obstacle : answer.obstacles) {
        out << "  " << host_expression(node_names(fabric, obstacle.nodes)) << ": " << obstacle.what
            << '\n';
    }
}

}  // namespace

void print_what_if(const Fabric& fabric,
                   const PlanRequest& request,
                   const WhatIf& answer,
                   bool unicode,
                   std::ostream& out) {
    print_sets(fabric, request, answer, unicode, out);
    std::vector<PlacementColumn> columns;
    if (answer.now) {
        columns.push_back(*answer.now);
    }
    if (!answer.same_set()) {
        columns.push_back(answer.best);
    }
    print_columns(columns, out);
    print_verdict(answer, out);
    print_obstacles(fabric, answer, out);
}

JsonValue what_if_to_json(const Fabric& fabric, const WhatIf& answer) {
    JsonValue obstacles = JsonValue::array();
    for (const Obstacle& obstacle : answer.obstacles) {
        JsonValue entry = JsonValue::object();
        entry.set("nodes", json_array_of(node_names(fabric, obstacle.nodes)))
            .set("what", obstacle.what);
        obstacles.append(std::move(entry));
    }
    JsonValue json = JsonValue::object();
    json.set("placed", answer.now.has_value())
        .set("now", answer.now ? column_to_json(fabric, *answer.now) : JsonValue(nullptr))
        .set("reason", answer.now ? JsonValue(nullptr) : JsonValue(answer.now_problem))
        .set("best", column_to_json(fabric, answer.best))
        .set("as_good", answer.as_good())
        .set("slowdown", answer.slowdown() > 0 ? JsonValue(answer.slowdown()) : JsonValue(nullptr))
        .set("in_the_way", std::move(obstacles));
    return json;
}

}  // namespace yardmaster::cli
