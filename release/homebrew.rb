# Homebrew: brew install --formula ./pairrank.rb
class Pairrank < Formula
  desc "Learning to rank, with an error that you can check"
  homepage "@HOME@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@URL@/pairrank-@TAG@-darwin-arm64.tar.gz"
      sha256 "@SHA256-darwin-arm64@"
    end
    on_intel do
      url "@URL@/pairrank-@TAG@-darwin-amd64.tar.gz"
      sha256 "@SHA256-darwin-amd64@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/pairrank-@TAG@-linux-arm64.tar.gz"
      sha256 "@SHA256-linux-arm64@"
    end
    on_intel do
      url "@URL@/pairrank-@TAG@-linux-amd64.tar.gz"
      sha256 "@SHA256-linux-amd64@"
    end
  end

  def install
    bin.install "pairrank"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/pairrank.bash" => "pairrank"
    zsh_completion.install "completions/pairrank.zsh" => "_pairrank"
    fish_completion.install "completions/pairrank.fish"
  end

  test do
    (testpath/"votes.csv").write "left,right,winner\na,b,a\nb,c,b\na,c,a\n"
    assert_match '"kind": "leaderboard"', shell_output("#{bin}/pairrank leaderboard votes.csv --json")
  end
end
