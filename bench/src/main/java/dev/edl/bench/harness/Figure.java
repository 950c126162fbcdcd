package dev.edl.bench.harness;

import java.util.Optional;

/**
 * Ratio that is monitored, where a higher one is better, with its goal.
 *
 * @param name name whose dots separate the subject from its peer: {@code mlp.64.pytorch}
 * @param goal least acceptable ratio
 * @param meaning numerator and denominator of the ratio, in a few words
 */
public record Figure(String name, double goal, String meaning) {
    /** Returns the software to compare with, which must be installed first; empty if there is none to install. */
    public Optional<PeerSoftware> peer() {
        return PeerSoftware.of(this);
    }
}
