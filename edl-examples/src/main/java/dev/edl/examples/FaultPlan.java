package dev.edl.examples;

import dev.edl.spec.RoleType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Draws the faults of a run from a seed. The same seed draws the same faults. */
public final class FaultPlan {
    /** Number of faults in a run. */
    public static final int FAULTS = 8;

    /** Lease of a task in a run with faults; a stopped replica sleeps for longer. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    /** Longer than the keep-alive of a connection and the grace for its return. */
    private static final Duration LONG_STOP = Duration.ofSeconds(32);

    private static final int MOST_STOPS = 2;
    private static final List<RoleType> ROLES =
            List.of(RoleType.WORKER, RoleType.WORKER, RoleType.PS, RoleType.PS, RoleType.MASTER);

    private FaultPlan() {}

    /** Kinds of faults. */
    enum Kind {
        KILL,
        STOP,
        CUT,
        /** Deletes a pod without a grace period. */
        DELETE
    }

    /**
     * A fault.
     *
     * @param share share of finished tasks at which it strikes, from 0 to 1
     * @param targets replicas that it strikes, one or two
     * @param stop duration of a stop; zero for other kinds
     */
    record Fault(Kind kind, double share, List<Target> targets, Duration stop) {}

    /** A replica of a role, which the remainder of the number selects among the running replicas of that role. */
    record Target(RoleType role, int number) {}

    /** Returns the {@link #FAULTS} faults of a seed for local processes, in the order of their shares. */
    static List<Fault> draw(long seed) {
        return draw(seed, FAULTS, Kind.CUT);
    }

    /**
     * Returns the faults of a seed, in the order of their shares.
     *
     * @param faults number of faults
     * @param third kind of the faults that neither kill nor stop: {@code CUT} or {@code DELETE}
     */
    static List<Fault> draw(long seed, int faults, Kind third) {
        Random random = new Random(seed);
        List<Fault> drawn = new ArrayList<>();
        int stops = 0;
        for (int i = 0; i < faults; i++) {
            // One fault in eight strikes when all tasks are done.
            double share = random.nextInt(FAULTS) == 0 ? 1 : random.nextDouble();
            int draw = random.nextInt(10);
            List<Target> targets = new ArrayList<>(List.of(target(random)));
            if (draw < 2 && stops < MOST_STOPS) {
                stops++;
                Duration stop = random.nextInt(4) == 0 ? LONG_STOP : LEASE.plusSeconds(2);
                drawn.add(new Fault(Kind.STOP, share, targets, stop));
            } else if (draw < 4) {
                drawn.add(new Fault(third, share, targets, Duration.ZERO));
            } else {
                if (draw < 7) {
                    targets.add(target(random));
                }
                drawn.add(new Fault(Kind.KILL, share, targets, Duration.ZERO));
            }
        }
        drawn.sort(Comparator.comparingDouble(Fault::share));
        return drawn;
    }

    private static Target target(Random random) {
        return new Target(ROLES.get(random.nextInt(ROLES.size())), random.nextInt(1000));
    }
}
