package dev.edl.k8s;

import dev.edl.exec.JobLostException;
import dev.edl.exec.JobTimeoutException;
import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.render.PodOptions;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Drives one job from within the cluster: what runs in the pod of {@link KubernetesExecutor#handOver}. A job whose pods have options
 * needs a class of its own, as options are code:
 *
 * <pre>{@code
 * public final class Driver {
 *   public static void main(String[] args) throws InterruptedException {
 *     System.exit(KubernetesDriver.run(Options.OF_OUR_JOBS, args));
 *   }
 * }
 * }</pre>
 */
public final class KubernetesDriver {
    /** What the mark of a driver within the cluster begins with. */
    static final String MARK = "driver-pod/";

    /** Asks for {@link NodeNotices#standard}. */
    static final String NODE_NOTICES = "--node-notices";

    /** Has no pod deleted by force. */
    static final String NO_FORCE_DELETE = "--no-force-delete";

    /** Says which job was handed over, by its digest; a record that keeps another job is not driven. */
    static final String JOB_DIGEST = "--job-digest=";

    private static final Set<String> FLAGS = Set.of(NODE_NOTICES, NO_FORCE_DELETE);

    private static final Duration LOOK = Duration.ofMillis(200);
    /** How often a driver of a quiet job asks whether it still is the driver. */
    private static final Duration ASK = Duration.ofSeconds(30);

    private KubernetesDriver() {}

    /**
     * Drives a job whose pods have no options.
     *
     * @param args the namespace and the job's name, and {@code --node-notices} where workers are to leave nodes that are about to
     *     go
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(PodOptions.none(), args));
    }

    /**
     * Takes the job over and drives it until it has ended and nothing is left to do for it, printing its events. Uses the
     * account of the pod that it runs in.
     *
     * @param options those with which the job was submitted
     * @param args the namespace and the job's name, and {@code --node-notices} where workers are to leave nodes that are about to
     *     go
     * @return what to end the program with: 0 when the job has ended, however, or is driven from elsewhere; 3 when another
     *     pod of the same kind has taken it over, since this one's success would end that one
     * @throws IllegalArgumentException when there is no such job, the record keeps another one than {@code --job-digest=} says, or
     *     the arguments are others
     * @throws IllegalStateException when an exception or error ended the driver's loop; the job is as it was, and the pod is
     *     started again
     * @throws KubernetesClientException when the cluster cannot be reached; the pod is started again
     */
    public static int run(PodOptions options, String... args) throws InterruptedException {
        return run(options, Optional.empty(), args);
    }

    /**
     * Drives a job as {@link #run(PodOptions, String...)} does, and has workers leave nodes that are about to go.
     *
     * @param options those with which the job was submitted
     * @param notices what tells that a node is about to go; the driver's account needs {@code list} and {@code watch} of nodes
     * @param args the namespace and the job's name
     * @return what to end the program with, as there
     * @throws IllegalArgumentException when there is no such job, or the arguments are others
     * @throws KubernetesClientException when the cluster cannot be reached, or nodes may not be watched; the pod is started again
     */
    public static int run(PodOptions options, NodeNotices notices, String... args) throws InterruptedException {
        return run(options, Optional.of(notices), args);
    }

    private static int run(PodOptions options, Optional<NodeNotices> given, String... args)
            throws InterruptedException {
        Optional<String> digest = Stream.of(args)
                .skip(2)
                .filter(arg -> arg.startsWith(JOB_DIGEST))
                .map(arg -> arg.substring(JOB_DIGEST.length()))
                .findFirst();
        Set<String> flags = Stream.of(args)
                .skip(2)
                .filter(arg -> !arg.startsWith(JOB_DIGEST))
                .collect(Collectors.toSet());
        if (args.length < 2 || !FLAGS.containsAll(flags)) {
            throw new IllegalArgumentException(
                    "a driver needs a namespace and a job, and may have " + NODE_NOTICES + " and " + NO_FORCE_DELETE
                            + " behind them, for example: default mnist; was: " + String.join(" ", args));
        }
        boolean asked = flags.contains(NODE_NOTICES);
        KubernetesExecutorBuilder builder =
                KubernetesExecutor.builder().options(options).mark(MARK).forceDelete(!flags.contains(NO_FORCE_DELETE));
        given.or(() -> asked ? Optional.of(NodeNotices.standard()) : Optional.empty())
                .ifPresent(builder::nodeNotices);
        try (KubernetesExecutor cluster = builder.build()) {
            KubernetesRun run = cluster.attach(args[0], args[1], digest, event -> System.out.println(event));
            if (drive(run)) {
                System.out.println(run);
                return 0;
            }
            if (run.failure().isPresent()) {
                // The pod is started again, and its new program attaches.
                throw new IllegalStateException(
                        "the driver's loop failed", run.failure().get());
            }
            String other = cluster.driverOf(args[0], args[1]).orElse("no program");
            System.out.println("driven from elsewhere now, by " + other);
            return other.startsWith(MARK) ? 3 : 0;
        }
    }

    /** To the end of the job, or until it is driven from elsewhere: whether to the end. */
    private static boolean drive(KubernetesRun run) throws InterruptedException {
        long asked = System.nanoTime();
        while (!run.over()) {
            try {
                run.await(ASK);
                // An ended job has no more writes whose conflict would show another driver.
                boolean due = System.nanoTime() - asked > ASK.toNanos();
                if (run.lost() || (due && taken(run))) {
                    return false;
                }
                asked = due ? System.nanoTime() : asked;
                // Its pods are still to be removed, and it itself when its time to live is over.
                Thread.sleep(LOOK.toMillis());
            } catch (JobTimeoutException e) {
                if (taken(run)) {
                    return false;
                }
            } catch (JobLostException e) {
                return false;
            }
        }
        return true;
    }

    private static boolean taken(KubernetesRun run) {
        try {
            return run.taken();
        } catch (KubernetesClientException e) {
            System.out.println(MissingPermission.told("the record cannot be read now: " + e.getMessage()));
            return false;
        }
    }
}
