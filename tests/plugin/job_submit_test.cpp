// The job_submit plugin: what is taken, what is refused and in which words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugin/abi/job_submit_hooks.h"
#include "plugin/common/job_hints.hpp"
#include "plugin/job_submit/intake.hpp"
#include "tests/plugin/fake_host.hpp"

namespace yardmaster::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Reply {
    ym_submit_code code;
    std::string message;
};

/// `nodes` nodes of eight GPUs with this --constraint.
ym_job_desc asks_for(const char* features, std::uint32_t nodes = 2) {
    ym_job_desc desc;
    if (features != nullptr) {
        desc.features = features;
    }
    desc.submission.min_nodes = desc.submission.max_nodes = nodes;
    desc.submission.tres_per_node = "gres:gpu:8";
    return desc;
}

/// The same, with other GPUs a node than eight.
ym_job_desc asks_per_node(const char* features, const char* gpus) {
    ym_job_desc desc = asks_for(features);
    desc.submission.tres_per_node = gpus;
    return desc;
}

/// The same, with the GPUs of the whole job instead.
ym_job_desc asks_per_job(const char* features, const char* gpus, std::uint32_t nodes) {
    ym_job_desc desc = asks_for(features, nodes);
    desc.submission.tres_per_node = nullptr;
    desc.submission.tres_per_job = gpus;
    return desc;
}

/// The same, with one GPU a task instead.
ym_job_desc asks_per_task(const char* features) {
    ym_job_desc desc = asks_for(features);
    desc.submission.tres_per_node = nullptr;
    desc.submission.tres_per_task = "gres:gpu:1";
    return desc;
}

Reply submit(ym_job_desc& desc) {
    char message[1024] = "";
    const ym_submit_code code = ym_hook_job_submit(&desc, message, sizeof(message));
    return {code, message};
}

Reply submit(ym_job_desc&& desc) {
    return submit(desc);
}

Reply submit(const char* features, std::uint32_t nodes = 2) {
    ym_job_desc desc = asks_for(features, nodes);
    return submit(desc);
}

Reply modify(ym_job_desc& desc, ym_job* job) {
    char message[1024] = "";
    const ym_submit_code code = ym_hook_job_modify(&desc, job, message, sizeof(message));
    return {code, message};
}

void expect_refused(const Reply& reply, ym_submit_code code, const std::string& part) {
    EXPECT_EQ(reply.code, code) << reply.message;
    EXPECT_THAT(reply.message, HasSubstr(part));
}

TEST(Submit, HintsGoToTheEnvironmentAndFeaturesToSlurm) {
    FakeHost host;
    ym_job_desc desc = asks_for("h100&tp8&pp2&fast");
    const Reply reply = submit(desc);
    EXPECT_EQ(reply.code, YM_SUBMIT_OK) << reply.message;
    EXPECT_EQ(reply.message, "");
    EXPECT_EQ(desc.features, "h100&fast");
    EXPECT_EQ(desc.env, (FakeEnv{{YM_HINTS_ENV, "tp8&pp2"}}));
}

TEST(Submit, HintsAloneLeaveNoFeatures) {
    FakeHost host;
    ym_job_desc desc = asks_for("leaf");
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    EXPECT_EQ(desc.features, std::nullopt);
    EXPECT_EQ(desc.env, (FakeEnv{{YM_HINTS_ENV, "leaf"}}));
}

TEST(Submit, ConstraintWithoutHintsIsPassedThroughUnread) {
    FakeHost host;
    for (const char* features : {"[fa*2&fb*2]", "(a|b)&c", "a|b", "a,b", "h100"}) {
        ym_job_desc desc = asks_for(features);
        EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
        EXPECT_EQ(desc.features, features);
        EXPECT_EQ(desc.env, FakeEnv{});
    }
    ym_job_desc desc = asks_for(nullptr);
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    EXPECT_EQ(desc.features, std::nullopt);
}

TEST(Submit, ForgedEnvironmentIsRemoved) {
    FakeHost host;
    ym_job_desc desc = asks_for("h100");
    desc.env = {{YM_HINTS_ENV, "leaf"}, {YM_NEXT_HINTS_ENV, "rail|h100"}, {"OTHER", "1"}};
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    EXPECT_EQ(desc.env, (FakeEnv{{"OTHER", "1"}}));
    desc = asks_for("tp8");
    desc.env = {{YM_HINTS_ENV, "leaf"}};
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    EXPECT_EQ(desc.env, (FakeEnv{{YM_HINTS_ENV, "tp8"}}));
}

TEST(Submit, HintsInOtherOptionsAreRefused) {
    FakeHost host;
    ym_job_desc desc = asks_for("h100");
    desc.submission.prefer = "fast&tp8";
    expect_refused(submit(desc),
                   YM_SUBMIT_BAD_HINT,
                   "placement hint \"tp8\" stands in --prefer; hints belong into --constraint");
    desc.submission.prefer = nullptr;
    desc.submission.batch_features = "rail";
    expect_refused(submit(desc), YM_SUBMIT_BAD_HINT, "placement hint \"rail\" stands in --batch");
}

TEST(Submit, NearMissesAndBadPlacesAreRefused) {
    FakeHost host;
    expect_refused(submit("tp=8"), YM_SUBMIT_BAD_HINT, "looks like a placement hint");
    expect_refused(submit("(tp8|h100)"), YM_SUBMIT_BAD_HINT, "cannot stand inside ()");
    expect_refused(submit("[tp8]"), YM_SUBMIT_BAD_HINT, "cannot stand inside []");
    expect_refused(submit("tp8|h100"), YM_SUBMIT_BAD_HINT, "\"|\" beside a placement hint");
    expect_refused(submit("h100*2&tp8"), YM_SUBMIT_BAD_HINT, "a feature count (*N)");
    expect_refused(submit("tp8&tp4"), YM_SUBMIT_BAD_HINT, "contradicts tp");
}

TEST(Submit, RefusedJobIsLeftAsItWas) {
    FakeHost host;
    ym_job_desc desc = asks_for("h100&tp=8");
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_BAD_HINT);
    EXPECT_EQ(desc.features, "h100&tp=8");
    EXPECT_EQ(desc.env, FakeEnv{});
}

TEST(Submit, HardHintsTakeRangesInWhichSomethingFits) {
    FakeHost host;
    ym_job_desc desc = asks_for("leaf");
    desc.submission.max_nodes = 9;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK) << "two to four nodes fit";
    desc = asks_for("leaf", 5);
    desc.submission.max_nodes = 9;
    expect_refused(submit(desc), YM_SUBMIT_IMPOSSIBLE, "the largest leaf group here");
    desc = asks_for("leaf");
    desc.submission.min_nodes = desc.submission.max_nodes = 0;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    desc = asks_for("tp8&pp3");
    desc.submission.min_nodes = 1;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_BAD_HINT) << "neither one nor two nodes make 24 GPUs";
    desc = asks_for("tp8&pp3");
    desc.submission.max_nodes = 3;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
}

TEST(Submit, TpAndRailNeedTheNumberOfGpus) {
    FakeHost host;
    for (const char* hint : {"tp8", "rail"}) {
        ym_job_desc desc = asks_per_node(hint, nullptr);
        desc.submission.tres_per_socket = "gres:gpu:4";
        expect_refused(submit(desc),
                       YM_SUBMIT_BAD_HINT,
                       std::string(hint) +
                           ": needs the number of GPUs; add --gpus-per-node (--gpus-per-socket");
    }
    EXPECT_EQ(submit(asks_per_node("leaf", nullptr)).code, YM_SUBMIT_OK);
}

TEST(Submit, GpusOfTheWholeJobMustBeEven) {
    FakeHost host;
    EXPECT_EQ(submit(asks_per_job("tp8", "gres:gpu:16", 0)).code, YM_SUBMIT_OK);
    expect_refused(submit(asks_per_job("tp8", "gres:gpu:16", 3)),
                   YM_SUBMIT_BAD_HINT,
                   "16 GPUs cannot be shared evenly by 3 nodes; ask for");
}

TEST(Submit, GpusOfTasksCountWhenTheyAreEven) {
    FakeHost host;
    ym_job_desc desc = asks_per_task("tp8");
    desc.submission.ntasks_per_node = 8;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    desc = asks_per_task("tp8");
    desc.submission.num_tasks = 16;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    desc = asks_per_task("tp8");
    desc.submission.num_tasks = 15;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_BAD_HINT);
}

TEST(Submit, HardHintsRefuseStocksOwnOrders) {
    FakeHost host;
    ym_job_desc desc = asks_for("leaf");
    desc.submission.contiguous = true;
    expect_refused(submit(desc), YM_SUBMIT_BAD_HINT, "cannot be combined with --contiguous");
    desc = asks_for("leaf");
    desc.submission.spread = true;
    expect_refused(submit(desc), YM_SUBMIT_BAD_HINT, "--contiguous or --spread-job");
    desc = asks_for("pp2");
    desc.submission.contiguous = true;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
}

TEST(Submit, ImpossibleOnThisFabricIsRefused) {
    FakeHost host;
    expect_refused(
        submit("tp16"), YM_SUBMIT_IMPOSSIBLE, "tp16: largest NVLink domain here has 8 GPUs");
    expect_refused(submit("leaf", 5), YM_SUBMIT_IMPOSSIBLE, "the largest leaf group here");
    expect_refused(submit("leaf", 9), YM_SUBMIT_IMPOSSIBLE, "asks for 9 nodes");
    expect_refused(submit("tp8&pp3"), YM_SUBMIT_BAD_HINT, "24 does not divide 16");
}

TEST(Submit, RailTakesPartsOfNodesWhoseGpusHaveIndices) {
    FakeHost host;
    EXPECT_EQ(submit(asks_per_node("rail", "gres:gpu:4")).code, YM_SUBMIT_OK);
    for (auto& node : host.nodes) {
        node.indices = false;
    }
    expect_refused(submit(asks_per_node("rail", "gres:gpu:4")),
                   YM_SUBMIT_IMPOSSIBLE,
                   "rail: GPUs have no indices here (gres.conf without File=)");
    ym_job_desc desc = asks_per_node("rail", "gres:gpu:4");
    desc.submission.whole_node = true;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
    EXPECT_EQ(submit("rail").code, YM_SUBMIT_OK) << "all eight";
    EXPECT_EQ(submit(asks_per_node("tp4", "gres:gpu:4")).code, YM_SUBMIT_OK);
    EXPECT_EQ(submit(asks_per_job("tp4", "gres:gpu:8", 2)).code, YM_SUBMIT_IMPOSSIBLE)
        << "only we deal them out evenly";
}

TEST(Submit, RailOnPartOfANodeWantsOneTypeAndNoSockets) {
    FakeHost host;
    expect_refused(submit(asks_per_node("rail", "gres:gpu:a:2,gres:gpu:b:2")),
                   YM_SUBMIT_BAD_HINT,
                   "several types of GPUs");
    ym_job_desc desc = asks_per_node("rail", "gres:gpu:4");
    desc.submission.tres_per_socket = "gres:gpu:2";
    expect_refused(submit(desc), YM_SUBMIT_BAD_HINT, "--gpus-per-socket");
}

TEST(Submit, NamedNodesThatKeepTheHintAreTaken) {
    FakeHost host;
    for (const auto& [hint, nodelist, exclude] : {std::tuple{"leaf", "n[1,3]", "n[0,2]"},
                                                  std::tuple{"leaf", "n5", "n[0-4]"},
                                                  std::tuple{"leaf", "", "n[0-5]"},
                                                  std::tuple{"tp8", "n[3-4]", ""},
                                                  std::tuple{"pp2", "n[3-4]", "n[0-2]"}}) {
        ym_job_desc desc = asks_for(hint);
        desc.submission.nodelist = nodelist;
        desc.submission.exclude = exclude;
        const Reply reply = submit(desc);
        EXPECT_EQ(reply.code, YM_SUBMIT_OK) << reply.message;
    }
}

TEST(Submit, NamedNodesThatCannotKeepAHardHintAreRefused) {
    FakeHost host;
    ym_job_desc desc = asks_for("leaf");
    desc.submission.nodelist = "n[3-4]";
    expect_refused(submit(desc),
                   YM_SUBMIT_IMPOSSIBLE,
                   "leaf: no nodes here keep it with --nodelist=n[3-4], even when all are free");
    desc = asks_for("leaf", 4);
    desc.submission.nodelist = "n1";
    desc.submission.exclude = "n2";
    expect_refused(submit(desc), YM_SUBMIT_IMPOSSIBLE, "--nodelist=n1 and --exclude=n2");
    desc.submission.nodelist = nullptr;
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK) << "the other leaf group holds it";
}

TEST(Submit, NodeUnknownToTheFabricIsRefusedForHardHintsOnly) {
    FakeHost host;
    ym_job_desc desc = asks_for("tp8");
    desc.submission.nodelist = "n1,ghost";
    expect_refused(submit(desc), YM_SUBMIT_IMPOSSIBLE, "node ghost of --nodelist is not in");
    desc = asks_for("pp2");
    desc.submission.nodelist = "n1,ghost";
    EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK);
}

TEST(Submit, NodeListThatIsWrongForSlurmIsLeftToIt) {
    FakeHost host;
    for (const char* nodelist : {"n[1-", "n[0-2]"}) {
        ym_job_desc desc = asks_for("leaf");
        desc.submission.nodelist = nodelist;
        EXPECT_EQ(submit(desc).code, YM_SUBMIT_OK) << nodelist;
    }
}

TEST(Submit, WithoutFabricOnlyTheWordsAreChecked) {
    FakeHost host;
    host.remove_fabric();
    EXPECT_EQ(submit("tp16").code, YM_SUBMIT_OK);
    EXPECT_EQ(submit("tp=8").code, YM_SUBMIT_BAD_HINT);
    EXPECT_TRUE(host.log.empty()) << "the select plugin tells what is wrong with the file";
}

TEST(Submit, LongMessageIsCutToTheBuffer) {
    FakeHost host;
    ym_job_desc desc = asks_for("tp=8");
    char message[16] = "";
    EXPECT_EQ(ym_hook_job_submit(&desc, message, sizeof(message)), YM_SUBMIT_BAD_HINT);
    EXPECT_EQ(std::string(message).size(), 15U);
}

/// A pending job of two nodes with eight GPUs each.
ym_job* pending_job(const char* hints) {
    ym_job* job = FakeHost::new_job(8, hints);
    job->submission.min_nodes = job->submission.max_nodes = 2;
    job->submission.tres_per_node = "gres:gpu:8";
    job->features = "h100";
    return job;
}

std::string hints_after(ym_job* job) {
    ym_job_info info;
    ym_job_read(job, &info);
    const auto hints = settle_hints(job, &info);
    return hints ? hints->to_string() : hints.status().message();
}

TEST(Modify, NewFeaturesReplaceTheHintsOnceAccepted) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "a100&tp4";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(update.features, "a100");
    EXPECT_EQ(job->env[YM_HINTS_ENV], "tp8");
    job->features = "a100";
    EXPECT_EQ(hints_after(job), "tp4");
}

TEST(Modify, FeaturesThatSlurmRefusesLeaveTheHints) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "nowhere&tp4";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(hints_after(job), "tp8");
}

TEST(Modify, HintsAloneClearTheFeatures) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "leaf";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(update.features, "");
    job->features.reset();
    EXPECT_EQ(hints_after(job), "leaf");
}

TEST(Modify, FeaturesWithoutHintsDropTheHints) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "a100";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    job->features = "a100";
    EXPECT_EQ(hints_after(job), "");
}

TEST(Modify, BadHintIsRefusedAndNothingAnnounced) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "tp16";
    expect_refused(modify(update, job), YM_SUBMIT_IMPOSSIBLE, "tp16");
    EXPECT_EQ(job->env, (FakeEnv{{YM_HINTS_ENV, "tp8"}}));
    EXPECT_EQ(update.features, "tp16");
}

TEST(Modify, NewHintsAreCheckedAgainstTheJobAsItWillBe) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.features = "leaf";
    update.submission.min_nodes = update.submission.max_nodes = 5;
    expect_refused(modify(update, job), YM_SUBMIT_IMPOSSIBLE, "leaf: the job asks for 5 nodes");
    update.submission.min_nodes = update.submission.max_nodes = 4;
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
}

TEST(Modify, NewSizeIsCheckedAgainstTheJobsHints) {
    FakeHost host;
    ym_job* job = pending_job("leaf");
    ym_job_desc update;
    update.submission.min_nodes = update.submission.max_nodes = 5;
    expect_refused(modify(update, job), YM_SUBMIT_IMPOSSIBLE, "leaf: the job asks for 5 nodes");
    update.submission.min_nodes = update.submission.max_nodes = 4;
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(update.features, std::nullopt);
    EXPECT_EQ(hints_after(job), "leaf");
}

TEST(Modify, NewNodeListIsCheckedAgainstTheJobsHints) {
    FakeHost host;
    ym_job* job = pending_job("leaf");
    ym_job_desc update;
    update.submission.nodelist = "n[3-4]";
    expect_refused(modify(update, job), YM_SUBMIT_IMPOSSIBLE, "--nodelist=n[3-4]");
    update.submission.nodelist = "n[4-5]";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    update.submission.nodelist = nullptr;
    update.submission.exclude = "n[0-2,4-6]";
    expect_refused(modify(update, job), YM_SUBMIT_IMPOSSIBLE, "--exclude");
}

TEST(Modify, NewSizeIsCheckedAgainstHintsJustAnnounced) {
    FakeHost host;
    ym_job* job = pending_job("pp2");
    announce_hints(job, *parse_hints("leaf"), "h100");
    ym_job_desc update;
    update.submission.min_nodes = update.submission.max_nodes = 5;
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_IMPOSSIBLE);
}

TEST(Modify, SizeOfAJobWithoutHintsIsSlurmsBusiness) {
    FakeHost host;
    ym_job* job = pending_job("");
    ym_job_desc update;
    update.submission.min_nodes = 500;
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
}

TEST(Modify, HintsInPreferAreRefused) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    update.submission.prefer = "tp4";
    expect_refused(modify(update, job), YM_SUBMIT_BAD_HINT, "stands in --prefer");
}

TEST(Modify, OtherChangesPassThrough) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    ym_job_desc update;
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(job->env, (FakeEnv{{YM_HINTS_ENV, "tp8"}}));
}

TEST(Modify, RunningJobIsLeftToSlurm) {
    FakeHost host;
    ym_job* job = pending_job("tp8");
    job->asks.pending = false;
    ym_job_desc update;
    update.features = "tp64";
    EXPECT_EQ(modify(update, job).code, YM_SUBMIT_OK);
    EXPECT_EQ(update.features, "tp64");
}

}  // namespace
}  // namespace yardmaster::testing
