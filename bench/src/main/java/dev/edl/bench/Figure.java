package dev.edl.bench;

/**
 * One number that is watched: a ratio of which more is better, and what it must reach.
 *
 * @param name dots separate what is measured from what it is compared with: {@code mlp.64.pytorch}
 * @param goal the least ratio that is good enough
 * @param meaning what is divided by what, in a few words
 */
record Figure(String name, double goal, String meaning) {
    /** Whether it is taken against PyTorch, which has to be installed first. */
    boolean needsPyTorch() {
        return name.endsWith(".pytorch");
    }
}
