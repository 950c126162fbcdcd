package dev.edl.bench.harness;

import java.util.Optional;

/**
 * A monitored ratio, of which more is better, and its goal.
 *
 * @param name dots separate the subject from its peer: {@code mlp.64.pytorch}
 * @param goal the least acceptable ratio
 * @param meaning numerator and denominator, in a few words
 */
public record Figure(String name, double goal, String meaning) {
    /** Returns the peer, which must be installed first. */
    public Optional<Peer> peer() {
        return Peer.of(this);
    }
}
