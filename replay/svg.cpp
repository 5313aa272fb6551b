#include "replay/svg.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "replay/svg_text.hpp"
#include "topology/node_order.hpp"

namespace yardmaster {
namespace {

constexpr double kLeft = 130;  // room for the names of leaf groups and pods
constexpr double kWidth = 1000;
constexpr double kRight = 20;
constexpr double kTitle = 34;  // above a panel
constexpr double kAxis = 24;   // below it
constexpr double kLegend = 70;
constexpr double kMostRow = 12;
constexpr double kMostPanel = 480;
constexpr double kLeastLabel = 9;  // a lower unit gets no name
constexpr std::string_view kThin = " stroke=\"#999\" stroke-width=\"0.5\"";
constexpr std::string_view kThick = " stroke=\"#222\" stroke-width=\"1.5\"";
constexpr std::string_view kSplit = " stroke=\"#d00000\" stroke-width=\"1.5\"";
constexpr std::string_view kPlain = " stroke=\"#444\" stroke-width=\"0.3\"";

std::vector<NodeIndex> rows_of(const Fabric& fabric) {
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < fabric.nodes().size(); ++i) {
        nodes.push_back(NodeIndex(i));
    }
    return in_fabric_order(fabric, nodes);
}

std::string clock_text(std::int64_t seconds) {
    const auto two = [](std::int64_t value) {
        return (value < 10 ? "0" : "") + std::to_string(value);
    };
    return std::to_string(seconds / 3600) + ":" + two(seconds / 60 % 60) +
           (seconds % 60 != 0 ? ":" + two(seconds % 60) : "");
}

/// A round step that divides `span` into at most ten parts.
std::int64_t tick_step(std::int64_t span) {
    constexpr std::int64_t kSteps[] = {1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14400, 28800};
    for (std::int64_t step : kSteps) {
        if (span / step <= 10) {
            return step;
        }
    }
    return (span / 10 / 86400 + 1) * 86400;
}

/// Places jobs on the GPUs of part-used nodes, so that those of one time lie side by side.
class Lanes {
  public:
    /// The first GPU of `count` neighbours that are free at `from`; 0 where free ones are
    /// scattered.
    std::uint32_t take(std::int64_t from,
                       std::int64_t to,
                       std::uint32_t count,
                       std::uint32_t gpus) {
        std::erase_if(held_, [from](const Held& held) { return held.end <= from; });
        std::uint32_t first = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (const Held& held : held_) {
                if (first < held.first + held.count && held.first < first + count) {
                    first = held.first + held.count;
                    moved = true;
                }
            }
        }
        first = first + count <= gpus ? first : 0;
        held_.push_back({to, first, count});
        return first;
    }

  private:
    struct Held {
        std::int64_t end = 0;
        std::uint32_t first = 0, count = 0;
    };
    std::vector<Held> held_;
};

class SvgDrawing {
  public:
    SvgDrawing(const Fabric& fabric, const Comparison& comparison)
        : fabric_(fabric), comparison_(comparison), rows_(rows_of(fabric)), row_of_(rows_.size()) {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            row_of_[raw(rows_[row])] = row;
        }
        row_height_ = std::min(kMostRow, kMostPanel / static_cast<double>(rows_.size()));
        panel_height_ = row_height_ * static_cast<double>(rows_.size());
        for (const PolicyRun& run : comparison.runs) {
            span_ = std::max(span_, run.schedule.last_end());
        }
    }

    std::string draw() {
        const double panel = kTitle + panel_height_ + kAxis;
        const double height = panel * static_cast<double>(comparison_.runs.size()) + kLegend;
        const double width = kLeft + kWidth + kRight;
        const auto pixels = [](double value) { return std::to_string(std::lround(value)); };
        out_ =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" +
            pixels(width) + "\" height=\"" + pixels(height) + "\" viewBox=\"0 0 " + pixels(width) +
            " " + pixels(height) +
            "\" font-family=\"sans-serif\" font-size=\"11\" fill=\"#111\">\n"
            "<title>Jobs on nodes over time, by placement policy</title>\n";
        out_ += svg_rect({0, 0, width, height}, "#ffffff");
        for (const PolicyRun& run : comparison_.runs) {
            top_ += kTitle;
            draw_panel(run);
            top_ += panel_height_ + kAxis;
        }
        draw_legend();
        return out_ + "</svg>\n";
    }

  private:
    double x_at(std::int64_t time) const {
        return kLeft + kWidth * static_cast<double>(time) /
                           static_cast<double>(std::max<std::int64_t>(1, span_));
    }
    double y_at(std::size_t row) const { return top_ + row_height_ * static_cast<double>(row); }

    void draw_panel(const PolicyRun& run) {
        out_ += "<g>\n";
        out_ += svg_text(kLeft, top_ - 8, heading(run), " font-size=\"13\" font-weight=\"bold\"");
        out_ += svg_rect({kLeft, top_, kWidth, panel_height_}, "#f4f4f4");
        std::vector<Lanes> lanes(rows_.size());
        for (const JobStart& start : run.schedule.starts) {
            draw_job(start, lanes);
        }
        draw_units();
        draw_axis();
        out_ += "</g>\n";
    }

    static std::string heading(const PolicyRun& run) {
        const PolicyMetrics& metrics = run.metrics;
        std::string text = run.policy + ": " + std::to_string(metrics.jobs) + " jobs, " +
                           std::to_string(metrics.split_tp_groups) + " of " +
                           std::to_string(metrics.tp_groups) + " TP groups split";
        if (metrics.impossible > 0) {
            text += ", " + std::to_string(metrics.impossible) + " jobs never placed";
        }
        return text;
    }

    void draw_job(const JobStart& start, std::vector<Lanes>& lanes) {
        const TraceJob& job = comparison_.jobs[start.job];
        const bool split =
            describe(fabric_, start.ranked, job.gpus_per_node, job.hints).split_tp_groups > 0;
        const std::string title = "job " + job.id + ": " + std::to_string(job.nodes) + " nodes x " +
                                  std::to_string(job.gpus_per_node) + " GPUs, " +
                                  (job.hints.empty() ? "no hints" : job.hints.to_string()) + ", " +
                                  clock_text(start.start) + " to " + clock_text(start.end) +
                                  (split ? ", TP groups split" : "");
        for (const SvgBox& box : boxes_of(start, job, lanes)) {
            out_ += svg_rect(box, svg_color(start.job), split ? kSplit : kPlain, title);
        }
    }

    std::vector<SvgBox> boxes_of(const JobStart& start,
                                 const TraceJob& job,
                                 std::vector<Lanes>& lanes) const {
        std::vector<std::size_t> rows;
        for (NodeIndex node : start.ranked) {
            rows.push_back(row_of_[raw(node)]);
        }
        std::sort(rows.begin(), rows.end());
        std::vector<SvgBox> boxes;
        for (std::size_t row : rows) {
            const std::uint32_t gpus = std::max<std::uint32_t>(1, fabric_.type_of(rows_[row]).gpus);
            const std::uint32_t count = job.gpus_per_node > 0 ? job.gpus_per_node : gpus;
            const std::uint32_t first = lanes[row].take(start.start, start.end, count, gpus);
            const double gpu_height = row_height_ / gpus;
            const SvgBox box{x_at(start.start),
                             y_at(row) + gpu_height * first,
                             x_at(start.end) - x_at(start.start),
                             gpu_height * count};
            add_box(box, boxes);
        }
        return boxes;
    }

    /// Joins a box to the one above when they touch.
    static void add_box(const SvgBox& box, std::vector<SvgBox>& boxes) {
        constexpr double kTouching = 1e-6;
        if (!boxes.empty() && std::abs(boxes.back().y + boxes.back().height - box.y) < kTouching) {
            boxes.back().height += box.height;
        } else {
            boxes.push_back(box);
        }
    }

    std::optional<UnitIndex> pod_of(NodeIndex node) const {
        const auto leaf = fabric_.node(node).leaf;
        return leaf ? fabric_.unit(*leaf).parent : std::nullopt;
    }

    /// Lines between leaf groups and between what is above them, with names where there is room.
    void draw_units() {
        std::size_t leaf_begin = 0;
        std::size_t pod_begin = 0;
        for (std::size_t row = 1; row <= rows_.size(); ++row) {
            const bool end = row == rows_.size();
            if (end || fabric_.node(rows_[row]).leaf != fabric_.node(rows_[leaf_begin]).leaf) {
                close_unit(fabric_.node(rows_[leaf_begin]).leaf, leaf_begin, row, kLeft - 6);
                out_ += svg_line(kLeft, y_at(row), kLeft + kWidth, y_at(row), kThin);
                leaf_begin = row;
            }
            if (end || pod_of(rows_[row]) != pod_of(rows_[pod_begin])) {
                close_unit(pod_of(rows_[pod_begin]), pod_begin, row, kLeft - 70);
                out_ += svg_line(kLeft - 66, y_at(row), kLeft + kWidth, y_at(row), kThick);
                pod_begin = row;
            }
        }
        out_ += svg_line(kLeft - 66, top_, kLeft + kWidth, top_, kThick);
    }

    void close_unit(std::optional<UnitIndex> unit, std::size_t begin, std::size_t end, double x) {
        if (unit && y_at(end) - y_at(begin) >= kLeastLabel) {
            out_ += svg_text(x,
                             (y_at(begin) + y_at(end)) / 2 + 4,
                             fabric_.unit(*unit).name,
                             " text-anchor=\"end\"");
        }
    }

    void draw_axis() {
        const double bottom = top_ + panel_height_;
        const std::int64_t step = tick_step(span_);
        for (std::int64_t time = 0; time <= span_; time += step) {
            out_ += svg_line(x_at(time), bottom, x_at(time), bottom + 4, kThin);
            out_ += svg_text(
                x_at(time), bottom + 15, clock_text(time), " text-anchor=\"middle\" fill=\"#555\"");
        }
    }

    void draw_legend() {
        const double y = top_ + 16;
        out_ += svg_rect({kLeft, y, 18, 12}, svg_color(0), kPlain);
        out_ += svg_text(kLeft + 24,
                         y + 10,
                         "a job, in the same colour in every panel; point at it for its number");
        out_ += svg_rect({kLeft + 430, y, 18, 12}, svg_color(1), kSplit);
        out_ += svg_text(kLeft + 454, y + 10, "its TP groups are split between NVLink domains");
        out_ += svg_rect({kLeft, y + 22, 18, 12}, "#f4f4f4", kPlain);
        out_ += svg_text(kLeft + 24, y + 32, "free; a row is a node, time is hours:minutes");
        out_ += svg_line(kLeft + 430, y + 28, kLeft + 448, y + 28, kThin);
        out_ += svg_text(kLeft + 454, y + 32, "between leaf groups");
        out_ += svg_line(kLeft + 590, y + 28, kLeft + 608, y + 28, kThick);
        out_ += svg_text(kLeft + 614, y + 32, "between pods");
    }

    const Fabric& fabric_;
    const Comparison& comparison_;
    const std::vector<NodeIndex> rows_;  // [row], from the top
    std::vector<std::size_t> row_of_;    // [NodeIndex]
    double row_height_ = 0;
    double panel_height_ = 0;
    double top_ = 0;  // of the panel being drawn
    std::int64_t span_ = 0;
    std::string out_;
};

}  // namespace

std::string draw_svg(const Fabric& fabric, const Comparison& comparison) {
    return SvgDrawing(fabric, comparison).draw();
}

}  // namespace yardmaster
