package dev.edl.bench;

import dev.edl.bench.harness.Figure;
import dev.edl.bench.harness.PeerSoftware;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Arguments of {@code bench/run}.
 *
 * @param group name of the group of figures
 * @param figures names of the figures to measure, or the first parts of their names; empty for all of the group
 * @param list whether to print the figures instead of measuring them
 * @param quick whether only to check that every measurement runs
 * @param rounds number of rounds in which subject and peer alternate
 * @param patience seconds to wait for an idle machine before each measurement
 * @param skippedPeers peers whose figures are left out
 */
record BenchArguments(
        String group,
        List<String> figures,
        boolean list,
        boolean quick,
        int rounds,
        int patience,
        Set<PeerSoftware> skippedPeers) {
    static final String USAGE = """
            usage: bench/run GROUP [FIGURE...] [FLAGS]
              GROUP                runtime, composition, remote, kubernetes (starts a cluster, see docs/conformance.md); or
                                   steps, a table of what a step costs and where the time goes
              FIGURE               names to take, or their beginnings: shard mlp.64; all of the group unless given
              --list               prints the figures, their goals and what they mean, and takes none
              --rounds N           how often subject and peer take turns; 7 unless given
              --patience SECONDS   how long an idle machine is waited for before each measurement; 60 unless given
              --quick              few rounds on small sizes, to see that everything runs; no ratio is too low
              --skip-peer PEER     leaves out the figures that need it: jib, pytorch, torchx
            Prints one line a figure: name, ratio, goal, separated by tabs, conditions behind #; exits with 1 when a ratio
            is below its goal or a figure cannot be taken, with 2 when a flag is wrong.""";

    private static final int ROUNDS = 7;
    private static final int PATIENCE = 60;

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException for an unknown argument
     */
    static BenchArguments parse(List<String> words) {
        if (words.isEmpty() || words.get(0).startsWith("-")) {
            throw new IllegalArgumentException("a group is missing");
        }
        List<String> figures = new ArrayList<>();
        Set<PeerSoftware> skipped = EnumSet.noneOf(PeerSoftware.class);
        boolean list = false;
        boolean quick = false;
        int rounds = 0;
        int patience = -1;
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            switch (word) {
                case "--list" -> list = true;
                case "--quick" -> quick = true;
                case "--rounds" -> rounds = number(word, value(words, ++i, word), 1);
                case "--patience" -> patience = number(word, value(words, ++i, word), 0);
                case "--skip-peer" -> {
                    skipped.add(PeerSoftware.of(value(words, ++i, word)));
                }
                default -> {
                    if (word.startsWith("-")) {
                        throw new IllegalArgumentException("there is no flag \"" + word + "\"");
                    }
                    figures.add(word);
                }
            }
        }
        return new BenchArguments(
                words.get(0),
                List.copyOf(figures),
                list,
                quick,
                rounds > 0 ? rounds : quick ? 1 : ROUNDS,
                patience >= 0 ? patience : quick ? 0 : PATIENCE,
                Set.copyOf(skipped));
    }

    private static String value(List<String> words, int at, String flag) {
        if (at == words.size()) {
            throw new IllegalArgumentException(flag + " needs a value");
        }
        return words.get(at);
    }

    private static int number(String flag, String text, int least) {
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    flag + " must be a whole number of at least " + least + ", was \"" + text + "\"", e);
        }
        throw new IllegalArgumentException(flag + " must be a whole number of at least " + least + ", was " + text);
    }

    /** Returns whether to measure a figure: its name or the first parts of it were given, or no name was. */
    boolean wants(Figure figure) {
        return figures.isEmpty() || figures.stream().anyMatch(asked -> covers(asked, figure));
    }

    static boolean covers(String asked, Figure figure) {
        return figure.name().equals(asked) || figure.name().startsWith(asked + ".");
    }
}
