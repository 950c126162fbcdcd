package dev.edl.bench.harness;

import java.util.Optional;

/**
 * One number that is watched: a ratio of which more is better, and what it must reach.
 *
 * @param name dots separate what is measured from what it is compared with: {@code mlp.64.pytorch}
 * @param goal the least ratio that is good enough
 * @param meaning what is divided by what, in a few words
 */
public record Figure(String name, double goal, String meaning) {
    /** What it is taken against, which has to be installed first. */
    public Optional<Peer> peer() {
        return Peer.of(this);
    }
}
