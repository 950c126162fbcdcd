package dev.edl.k8s;

import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobLostException;
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
 * Program that drives one job from within the cluster, in the pod of {@link KubernetesExecutor#handOver}. A job whose
 * pods have options needs its own main class, because options are code:
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
    /** Prefix of the token that a driver within the cluster writes to the record. */
    static final String MARK = "driver-pod/";

    /** Flag that selects {@link NodeNotices#standard}. */
    static final String NODE_NOTICES = "--node-notices";

    /** Flag that disables force deletion of pods. */
    static final String NO_FORCE_DELETE = "--no-force-delete";

    /** Flag with the digest of the job that was handed over. The driver refuses a job's record with another digest. */
    static final String JOB_DIGEST = "--job-digest=";

    private static final Set<String> FLAGS = Set.of(NODE_NOTICES, NO_FORCE_DELETE);

    private static final Duration LOOK = Duration.ofMillis(200);
    /**
     * Interval at which a driver checks that no other program drives its job, which a job without changes would not
     * show.
     */
    private static final Duration ASK = Duration.ofSeconds(30);

    private KubernetesDriver() {}

    /**
     * Drives a job whose pods have no options.
     *
     * @param args the namespace, the job's name, and {@code --node-notices} if workers are to leave nodes that are
     *     about to go
     */
    public static void main(String[] args) throws InterruptedException {
        System.exit(run(PodOptions.none(), args));
    }

    /**
     * Takes over the job and drives it until it has ended and nothing is left to do. Prints its events. Uses the
     * account of its own pod.
     *
     * @param options the options with which the job was submitted
     * @param args the namespace, the job's name, and {@code --node-notices} if workers are to leave nodes that are
     *     about to go
     * @return the exit code: 0 when the job has ended, in any phase, or another program drives it; 3 when another
     *     driver pod has taken it over, because exit code 0 would end that pod
     * @throws IllegalArgumentException when the job does not exist, its record has another digest than
     *     {@code --job-digest=}, or an argument is unknown
     * @throws IllegalStateException when an exception or error ended the driver's loop; the job is unchanged, and the
     *     pod is restarted
     * @throws KubernetesClientException when the cluster cannot be reached; the pod is restarted
     */
    public static int run(PodOptions options, String... args) throws InterruptedException {
        return run(options, Optional.empty(), args);
    }

    /**
     * Takes over and drives a job as {@link #run(PodOptions, String...)} does, and moves workers off nodes that are
     * about to go.
     *
     * @param options the options with which the job was submitted
     * @param notices which nodes are about to go; the driver's account needs {@code list} and {@code watch} of nodes
     * @param args the namespace and the job's name
     * @return the exit code, as for {@link #run(PodOptions, String...)}
     * @throws IllegalArgumentException when the job does not exist, or an argument is unknown
     * @throws KubernetesClientException when the cluster cannot be reached, or nodes may not be watched; the pod is
     *     restarted
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
            throw new IllegalArgumentException("the driver takes a namespace and a job, then optionally"
                    + " " + NODE_NOTICES + " and " + NO_FORCE_DELETE
                    + ", for example: default mnist; was: " + String.join(" ", args));
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
                // The pod is restarted, and its new driver attaches.
                throw new IllegalStateException(
                        "the driver's loop failed", run.failure().get());
            }
            String other = cluster.driverOf(args[0], args[1]).orElse("no program");
            System.out.println("another driver has taken over the job: " + other);
            return other.startsWith(MARK) ? 3 : 0;
        }
    }

    /**
     * Drives the job until it has ended and nothing is left to do, or another program drives it. Returns false in the
     * second case.
     */
    private static boolean drive(KubernetesRun run) throws InterruptedException {
        long asked = System.nanoTime();
        while (!run.over()) {
            try {
                run.await(ASK);
                // An ended job has no more writes whose conflict would reveal another driver.
                boolean due = System.nanoTime() - asked > ASK.toNanos();
                if (run.lost() || (due && taken(run))) {
                    return false;
                }
                asked = due ? System.nanoTime() : asked;
                // The job's pods are still to be deleted, and the job itself after its time to live.
                Thread.sleep(LOOK.toMillis());
            } catch (AwaitTimeoutException e) {
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
            System.out.println(MissingPermission.withGrantCommand("the record cannot be read now: " + e.getMessage()));
            return false;
        }
    }
}
