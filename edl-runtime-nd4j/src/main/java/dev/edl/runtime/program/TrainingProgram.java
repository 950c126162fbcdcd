package dev.edl.runtime.program;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.env.ElasticDlEnv;
import dev.edl.plan.PlanException;
import dev.edl.runtime.Evaluation;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Prediction;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.SharedTrainingState;
import dev.edl.runtime.engine.TrainingFailedException;
import dev.edl.runtime.engine.pass.Pass;
import dev.edl.runtime.engine.ports.ReplicaStoppedException;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.ExceptionText;
import dev.edl.runtime.wire.control.MasterRejectedException;
import java.io.IOException;
import java.security.Security;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Main program of a training whose replicas are processes.
 *
 * <p>If a person starts the program, it submits a job whose replicas are processes of this machine. Each process runs
 * the same program. Its environment defines the replica: {@code EDL_ROLE}, {@code EDL_INDEX}, {@code MASTER_ADDR},
 * {@code PS_ADDRS} and {@code WORKER_ID}, which a plan writes, and {@code EDL_TOKEN_FILE}.
 *
 * <pre>{@code
 * public final class Mnist {
 *   public static void main(String[] args) {
 *     TrainingProgram.run(args, () -> Training.builder()
 *         .model(new MnistCnn())
 *         .data(() -> RecordIoDataset.open(Path.of("/data/train"), decoder))
 *         .build());
 *   }
 * }
 * }</pre>
 *
 * <p>The submitter prints what an in-process training prints, ends with the proof, and leaves no process behind, also
 * on Ctrl-C. Exit codes of each process:
 *
 * <ul>
 *   <li>0: the training is complete.
 *   <li>64: the environment defines no valid replica; of a submitter: the job cannot run as processes of this machine.
 *   <li>70: the training cannot succeed, and a retry would not help.
 *   <li>75: another replica was absent, or a port or lock was in use, for too long; this replica must be restarted.
 *       Never of a submitter.
 *   <li>1: any other failure; of a submitter: the job has failed.
 * </ul>
 */
public final class TrainingProgram {
    private static final int FAILED = 1;
    private static final int USAGE = 64;
    private static final String ROLE = "EDL_ROLE";

    private TrainingProgram() {}

    /**
     * Runs the replica that the environment defines, and exits the JVM. Without such an environment, submits a job of
     * two parameter servers and four workers, elastic from one to eight.
     *
     * @param args of the program, which each replica gets
     * @param training creates the training, the same in each process; opens no data
     */
    public static void run(String[] args, Supplier<Training> training) {
        run(args, job -> job.ps(2).workers(4).elastic(1, 8), training);
    }

    /**
     * Runs the replica that the environment defines, and exits the JVM. Without such an environment, submits a job.
     *
     * <pre>{@code
     * TrainingProgram.run(args, job -> job.ps(4).workers(8).elastic(2, 16), Mnist::training);
     * }</pre>
     *
     * @param args of the program, which each replica gets
     * @param job adds servers and workers to a job of {@link ProgramJobs#here}, which has a master; called only in the
     *     submitter
     * @param training creates the training, the same in each process; opens no data
     */
    public static void run(String[] args, UnaryOperator<JobBuilder> job, Supplier<Training> training) {
        start(args, job, () -> new ReplicaProgram.OfTraining(training.get()));
    }

    /**
     * Evaluates a trained model: as {@link #run(String[], UnaryOperator, Supplier)}, but the processes evaluate. The
     * job needs workers and no parameter servers: the master sends the parameters to the workers. A killed master's
     * successor repeats the pass from the beginning.
     *
     * <pre>{@code
     * TrainingProgram.evaluate(args, job -> job.workers(4), Mnist::evaluation);
     * }</pre>
     *
     * @param args of the program, which each replica gets
     * @param job adds workers to a job of {@link ProgramJobs#here}, which has a master; called only in the submitter
     * @param evaluation creates the evaluation, the same in each process
     */
    public static void evaluate(String[] args, UnaryOperator<JobBuilder> job, Supplier<Evaluation> evaluation) {
        start(args, job, () -> new ReplicaProgram.OfPass<>(Pass.of(built(evaluation)), TrainingSummary::of));
    }

    /**
     * Predicts with a trained model: as {@link #evaluate}, but the processes predict. The master writes the outputs;
     * its file has each record once, and appears only when it is complete.
     *
     * @param args of the program, which each replica gets
     * @param job adds workers to a job of {@link ProgramJobs#here}, which has a master; called only in the submitter
     * @param prediction creates the prediction, the same in each process
     */
    public static void predict(String[] args, UnaryOperator<JobBuilder> job, Supplier<Prediction> prediction) {
        start(args, job, () -> new ReplicaProgram.OfPass<>(Pass.of(built(prediction)), TrainingSummary::of));
    }

    private static <T> T built(Supplier<T> pass) {
        try {
            return pass.get();
        } catch (IllegalArgumentException mistake) {
            throw new MistakeException(mistake);
        }
    }

    private static void start(String[] args, UnaryOperator<JobBuilder> job, Supplier<ReplicaProgram> replicas) {
        Map<String, String> environment = System.getenv();
        if (isReplica()) {
            // A replaced replica has another address, and a Service's name may become resolvable only after its pod
            // has started.
            Security.setProperty("networkaddress.cache.ttl", "1");
            Security.setProperty("networkaddress.cache.negative.ttl", "1");
            System.exit(replica(environment, replicas));
        }
        Class<?> program = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.filter(frame -> frame.getMethodName().equals("main"))
                        .findFirst()
                        .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass))
                .orElseThrow(() -> new IllegalStateException("TrainingProgram.run must be called by a program's"
                        + " main(String[]), which each replica runs again; another caller submits"
                        + " ProgramJobs.here(Program.class, args) with ProcessExecutor"));
        System.exit(submit(() -> job.apply(ProgramJobs.here(program, args)).build(), replicas));
    }

    /** Returns whether the environment makes this process a replica of a job, not a submitter. */
    public static boolean isReplica() {
        return System.getenv().containsKey(ROLE);
    }

    /** Submits and runs the job; returns the exit code. */
    private static int submit(Supplier<Job> job, Supplier<ReplicaProgram> replicas) {
        return coded(() -> {
            // Reject what a replica would reject before one is started.
            ReplicaProgram program = replicas.get();
            try {
                program.check();
            } catch (IOException mistake) {
                throw new MistakeException(mistake);
            }
            try {
                return new LocalSubmitter(System.out).run(job.get()) ? 0 : FAILED;
            } catch (InvalidJobException | PlanException | UnsupportedOperationException mistake) {
                throw new UsageException(ExceptionText.of(mistake));
            }
        });
    }

    /** Runs the replica of a training that the environment defines; returns the exit code. */
    static int run(Map<String, String> environment, Supplier<Training> training) {
        return replica(environment, () -> new ReplicaProgram.OfTraining(training.get()));
    }

    /** Runs the replica that the environment defines; returns the exit code. */
    static int replica(Map<String, String> environment, Supplier<ReplicaProgram> replicas) {
        return coded(() -> {
            if (FileSender.ROLE.equals(environment.get(ROLE))) {
                return FileSender.run(environment);
            }
            ElasticDlEnv env = parsed(environment);
            ReplicaEnvironment replica = new ReplicaEnvironment(env, environment);
            switch (env.role()) {
                case MASTER -> replicas.get().master(replica, environment);
                case PS -> replicas.get().server(replica, env.index());
                case WORKER -> replicas.get().worker(replica, environment);
                default ->
                    throw new UsageException("EDL_ROLE must be master, ps or worker, was \""
                            + env.role().id() + "\"");
            }
            return 0;
        });
    }

    /** Work of a process, which may throw. */
    @FunctionalInterface
    private interface Work {
        int run() throws Exception;
    }

    private static int coded(Work work) {
        try {
            return work.run();
        } catch (UsageException mistake) {
            System.err.println(mistake.getMessage());
            return USAGE;
        } catch (TrainingFailedException
                | InvalidTrainingException
                | MistakeException
                | MasterRejectedException failure) {
            System.err.println(failure.getMessage());
            return SharedTrainingState.CANNOT_SUCCEED;
        } catch (TryAgainException away) {
            System.err.println(away.getMessage());
            return SharedTrainingState.TRY_AGAIN;
        } catch (ReplicaStoppedException asked) {
            // No message: the process that stopped this replica knows the reason.
            return SharedTrainingState.TRY_AGAIN;
        } catch (InterruptedException stop) {
            System.err.println("interrupted");
            return SharedTrainingState.TRY_AGAIN;
        } catch (Throwable failure) {
            failure.printStackTrace();
            return FAILED;
        }
    }

    private static ElasticDlEnv parsed(Map<String, String> environment) {
        try {
            return ElasticDlEnv.parse(environment);
        } catch (IllegalArgumentException mistake) {
            throw new UsageException(ExceptionText.of(mistake));
        }
    }

    /** Thrown when an evaluation or a prediction cannot be built, or a model to begin with cannot be read. */
    static final class MistakeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MistakeException(Exception mistake) {
            super(ExceptionText.of(mistake), mistake);
        }
    }

    /** Thrown when the environment defines no valid replica. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }
}
