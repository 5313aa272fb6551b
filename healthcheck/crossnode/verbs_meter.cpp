#include <algorithm>
#include <map>
#include <thread>

#include "healthcheck/crossnode/cross_meter.hpp"
#include "healthcheck/rdma/open_devices.hpp"
#include "healthcheck/rdma/pair_half.hpp"

namespace yardmaster {
namespace {

using std::chrono::nanoseconds;

/// One end of this round. It has one of the halves while it is open, by its side.
struct MeterEnd {
    CrossEnd id;
    RdmaEndReading reading;
    std::optional<SendingHalf> sender;
    std::optional<ReceivingHalf> receiver;
    bool asked = false;  ///< to connect
    bool connected = false;

    bool open() const { return sender || receiver; }
    const RdmaAddress& address() const { return sender ? sender->address() : receiver->address(); }
};

/// Whether one end has lost the address that the other one has: on RoCE, where addresses are a
/// matter of the node's network interfaces.
bool lags(const MeterEnd& own, const RdmaAddress& one, const RdmaAddress& other) {
    return own.reading.ethernet && lags_behind(scope_of(one.gid), scope_of(other.gid));
}

class VerbsMeter : public CrossMeter {
  public:
    VerbsMeter(VerbsApi& verbs,
               const MeasureSettings& settings,
               const std::function<void(const std::string&)>& on_step)
        : verbs_(verbs), settings_(settings), devices_(verbs, on_step) {}

    std::vector<OpenedEnd> open(const std::vector<RoundMessage::Task>& tasks) override {
        ends_.clear();
        std::vector<OpenedEnd> opened;
        for (const RoundMessage::Task& task : tasks) {
            opened.push_back(open(task));
        }
        return opened;
    }

    std::vector<ReadyMessage::Connected> connect(
        const std::vector<ConnectMessage::Peer>& peers) override {
        std::vector<ReadyMessage::Connected> answers(peers.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < peers.size(); ++i) {
            if (MeterEnd* end = end_to_connect(peers[i], answers[i])) {
                threads.emplace_back([&, end, i] { connect(*end, peers[i].address, answers[i]); });
            }
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        return answers;
    }

    std::vector<EndResult> measure(const std::vector<std::size_t>& edges,
                                   nanoseconds budget) override {
        const nanoseconds deadline = verbs_.now() + budget;
        const std::vector<MeterEnd*> ends = ends_of(edges);
        std::vector<EndResult> results = send(ends, deadline);
        for (EndResult& received : receive(ends, deadline)) {
            results.push_back(std::move(received));
        }
        return results;
    }

  private:
    OpenedEnd open(const RoundMessage::Task& task) {
        const auto [place, fresh] = ends_.try_emplace(task.end);
        MeterEnd& end = place->second;
        if (!fresh) {
            return {task.end, std::nullopt, {}, RdmaOutcome::kFailed, "the hub asks for it twice"};
        }
        end.id = task.end;
        end.reading.port = task.own.port;
        EndpointFailure failure;
        VerbsDevice* device = devices_.get(task.own.port, failure);
        auto made = device != nullptr
                        ? open_end(*device, task.own.port, settings_, end.reading, failure)
                        : std::nullopt;
        OpenedEnd opened{task.end, std::nullopt, end.reading, failure.outcome, failure.error};
        if (!made) {
            return opened;
        }
        if (task.end.side == CrossSide::kFrom) {
            end.sender.emplace(verbs_, settings_, std::move(*made));
        } else {
            end.receiver.emplace(verbs_, settings_, std::move(*made));
        }
        opened.address = end.address();
        return opened;
    }

    /// The end that is to be connected, once; nullptr with the answer when it is not.
    MeterEnd* end_to_connect(const ConnectMessage::Peer& peer, ReadyMessage::Connected& answer) {
        answer.end = peer.end;
        const auto found = ends_.find(peer.end);
        if (found == ends_.end() || !found->second.open() || found->second.asked) {
            answer.outcome = RdmaOutcome::kFailed;
            answer.error = "this end is not open";
            return nullptr;
        }
        MeterEnd& end = found->second;
        end.asked = true;
        if (lags(end, end.address(), peer.address)) {
            answer.outcome = RdmaOutcome::kNoGid;
            answer.error = std::string("it") + kLaggingGid;
            return nullptr;
        }
        // The end that lags says it of itself.
        return lags(end, peer.address, end.address()) ? nullptr : &end;
    }

    /// For a thread: on RoCE the kernel asks the network for the peer's address, and where nobody
    /// answers that takes about a second, which bad rails are not to add up to.
    static void connect(MeterEnd& end, const RdmaAddress& peer, ReadyMessage::Connected& answer) {
        const Status status = end.sender ? end.sender->connect(peer) : end.receiver->connect(peer);
        end.connected = static_cast<bool>(status);
        answer.outcome = status ? RdmaOutcome::kMeasured : outcome_of_connect(status);
        answer.error = status.message();
    }

    std::vector<MeterEnd*> ends_of(const std::vector<std::size_t>& edges) {
        std::vector<MeterEnd*> ends;
        for (auto& [id, end] : ends_) {
            if (std::find(edges.begin(), edges.end(), id.edge) != edges.end()) {
                ends.push_back(&end);
            }
        }
        return ends;
    }

    /// What is under way when no more is begun may take another measurement's time to come home
    /// (WriteStream): that is kept for it.
    std::vector<EndResult> send(const std::vector<MeterEnd*>& ends, nanoseconds deadline) {
        const StreamSettings& stream = settings_.stream;
        std::vector<SendingHalf*> senders;
        for (MeterEnd* end : ends) {
            if (end->sender && end->connected) {
                end->sender->begin(deadline - stream.window * stream.windows);
                senders.push_back(&*end->sender);
            }
        }
        run_streams(std::move(senders));
        std::vector<EndResult> results;
        for (MeterEnd* end : ends) {
            if (end->id.side == CrossSide::kFrom) {
                results.push_back(end->connected ? sent(*end, deadline) : not_connected(*end));
            }
        }
        return results;
    }

    /// After the own writes: the peers' are over at about the same time.
    std::vector<EndResult> receive(const std::vector<MeterEnd*>& ends, nanoseconds deadline) {
        std::vector<ReceivingHalf*> waiting;
        for (MeterEnd* end : ends) {
            if (end->receiver && end->connected) {
                waiting.push_back(&*end->receiver);
            }
        }
        wait_for_notices(verbs_, std::move(waiting), deadline);
        std::vector<EndResult> results;
        for (MeterEnd* end : ends) {
            if (end->id.side == CrossSide::kTo) {
                results.push_back(end->connected ? received(*end) : not_connected(*end));
            }
        }
        return results;
    }

    static EndResult not_connected(const MeterEnd& end) {
        EndResult result;
        result.end = end.id;
        result.error = "this end is not connected";
        return result;
    }

    EndResult sent(MeterEnd& end, nanoseconds deadline) {
        const SendResult sent = end.sender->result();
        EndResult result{end.id,
                         sent.outcome,
                         sent.error,
                         sent.wc_status,
                         sent.wc_text,
                         settings_.stream.message_bytes,
                         sent.gbps,
                         std::nullopt};
        if (sent.outcome == RdmaOutcome::kMeasured) {
            result.latency_us = end.sender->latency_us(deadline);
        }
        return result;
    }

    static EndResult received(MeterEnd& end) {
        const ReceiveResult received = end.receiver->result();
        EndResult result;
        result.end = end.id;
        result.outcome = received.outcome;
        result.error = received.error;
        return result;
    }

    VerbsApi& verbs_;
    const MeasureSettings& settings_;
    OpenDevices devices_;
    std::map<CrossEnd, MeterEnd> ends_;  // after the devices: they go before them
};

}  // namespace

std::unique_ptr<CrossMeter> make_verbs_meter(
    VerbsApi& verbs,
    const MeasureSettings& settings,
    const std::function<void(const std::string&)>& on_step) {
    return std::make_unique<VerbsMeter>(verbs, settings, on_step);
}

}  // namespace yardmaster
