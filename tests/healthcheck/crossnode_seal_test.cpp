// libmunge with a munged of the test's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "healthcheck/budget/child.hpp"
#include "healthcheck/crossnode/seal.hpp"
#include "tests/healthcheck/scratch_folder.hpp"

namespace yardmaster {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using testing::ScratchFolder;

constexpr const char* kMunged = "/usr/sbin/munged";
constexpr const char* kLibrary = "libmunge.so.2";

/// A munged in a scratch folder; it ends with the test.
class MungeSealTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (access(kMunged, X_OK) != 0) {
            GTEST_SKIP() << kMunged << " is not installed";
        }
        testing::write_file(folder_ / "key", std::string(64, 'k'));
        ASSERT_EQ(chmod((folder_ / "key").c_str(), 0600), 0);
        start();
        for (int tries = 0; tries < 500 && access(socket().c_str(), F_OK) != 0; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        ASSERT_EQ(access(socket().c_str(), F_OK), 0) << "munged does not begin";
        auto seal = make_munge_seal(kLibrary, socket());
        ASSERT_TRUE(seal) << seal.status().message();
        seal_ = std::move(seal).value();
    }
    void TearDown() override {
        if (munged_ > 0) {
            kill(munged_, SIGTERM);
            waitpid(munged_, nullptr, 0);
        }
    }

    std::string socket() const { return folder_ / "socket"; }
    std::string sealed(const std::string& text) {
        const auto credential = seal_->close(text);
        EXPECT_TRUE(credential) << credential.status().message();
        return credential ? *credential : "";
    }

  private:
    void start() {
        const std::string options[] = {"--socket=" + socket(),
                                       "--key-file=" + (folder_ / "key"),
                                       "--pid-file=" + (folder_ / "pid"),
                                       "--seed-file=" + (folder_ / "seed"),
                                       "--log-file=" + (folder_ / "log")};
        munged_ = fork();
        if (munged_ == 0) {
            close(STDERR_FILENO);  // its log is there, too
            execl(kMunged,         // --force: folders above ours are writable for all
                  kMunged,
                  "--foreground",
                  "--force",
                  options[0].c_str(),
                  options[1].c_str(),
                  options[2].c_str(),
                  options[3].c_str(),
                  options[4].c_str(),
                  nullptr);
            _exit(127);
        }
    }

  protected:
    ScratchFolder folder_;
    std::unique_ptr<Seal> seal_;
    pid_t munged_ = -1;
};

TEST_F(MungeSealTest, TextComesBack) {
    const std::string binary("a\0b\n\xff", 5);
    for (const std::string& text :
         {std::string("hello"), binary, std::string(), std::string(512 << 10, 'x')}) {
        const std::string credential = sealed(text);
        EXPECT_THAT(credential, ::testing::StartsWith("MUNGE:"));
        const auto opened = seal_->open(credential);
        ASSERT_TRUE(opened) << opened.status().message();
        EXPECT_EQ(*opened, text);
    }
}

TEST_F(MungeSealTest, SecondOpeningIsRefused) {
    const std::string credential = sealed("once");
    ASSERT_TRUE(seal_->open(credential));
    const auto again = seal_->open(credential);
    EXPECT_EQ(again.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(again.status().message(), HasSubstr("Replayed credential"));
}

TEST_F(MungeSealTest, ForgedCredentialIsRefused) {
    std::string credential = sealed("forged");
    credential[credential.size() / 2] = credential[credential.size() / 2] == 'A' ? 'B' : 'A';
    for (const std::string& bad :
         {credential, std::string("MUNGE:AAAA:"), std::string("x"), std::string()}) {
        const auto opened = seal_->open(bad);
        EXPECT_EQ(opened.status().code(), ErrorCode::kUnavailable);
        EXPECT_THAT(opened.status().message(), HasSubstr("munge does not accept a credential"));
    }
}

TEST_F(MungeSealTest, TooLongTextIsRefused) {
    const auto credential = seal_->close(std::string(2 << 20, 'x'));
    EXPECT_EQ(credential.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(credential.status().message(), HasSubstr("exceeds max"));
}

/// Has a process of uid 65534 do something; false when this process cannot.
bool as_nobody(const std::function<bool()>& act) {
    const pid_t pid = fork();
    if (pid == 0) {
        _exit(setgid(65534) == 0 && setuid(65534) == 0 && act() ? 0 : 1);
    }
    int status = 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(MungeSealTest, OtherUserCanNeitherOpenNorMakeOne) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "needs root to act as another user";
    }
    ASSERT_EQ(chmod(folder_.path().c_str(), 0755), 0);
    const std::string ours = sealed("for root");
    EXPECT_TRUE(as_nobody([&] { return !seal_->open(ours); }));
    EXPECT_TRUE(seal_->open(ours)) << "another user used it up";
    // To root, by another user: nobody restricts to its own uid, so a credential without a
    // restriction is made by munge's own command.
    const std::string file = folder_ / "theirs";
    testing::write_file(file, "");
    ASSERT_EQ(chmod(file.c_str(), 0666), 0);
    if (access("/usr/bin/munge", X_OK) != 0) {
        GTEST_SKIP() << "/usr/bin/munge is not installed";
    }
    const std::string command = "/usr/bin/munge --socket=" + socket() + " --string=evil > " + file;
    ASSERT_TRUE(as_nobody([&] { return std::system(command.c_str()) == 0; }));
    std::string theirs;
    std::getline(std::ifstream(file) >> std::ws, theirs);
    const auto opened = seal_->open(theirs);
    EXPECT_EQ(opened.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(opened.status().message(), HasSubstr("is of uid 65534"));
}

TEST_F(MungeSealTest, KilledMungedIsReportedInTime) {
    kill(munged_, SIGKILL);  // its socket stays behind
    waitpid(munged_, nullptr, 0);
    munged_ = -1;
    const auto begin = Clock::now();
    const auto credential = seal_->close("x");
    EXPECT_EQ(credential.status().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(credential.status().message(), HasSubstr("munge cannot make a credential"));
    EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST(MungeSeal, MissingLibraryIsNotFound) {
    EXPECT_EQ(make_munge_seal("libnothing.so.9", "").status().code(), ErrorCode::kNotFound);
    const auto other = make_munge_seal("libm.so.6", "");
    EXPECT_EQ(other.status().code(), ErrorCode::kNotFound);
    EXPECT_THAT(other.status().message(), HasSubstr("libm.so.6 has no munge_"));
}

}  // namespace
}  // namespace yardmaster
