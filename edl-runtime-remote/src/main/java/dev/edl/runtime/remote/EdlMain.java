package dev.edl.runtime.remote;

import dev.edl.env.ElasticDlEnv;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.runtime.engine.ReplicaStopped;
import dev.edl.runtime.engine.TrainingFailedException;
import dev.edl.runtime.engine.TrainingServices;
import dev.edl.runtime.engine.ports.TryAgainException;
import dev.edl.runtime.internal.text.Reason;
import dev.edl.runtime.remote.control.RefusedException;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The main program of a training whose replicas are processes. Its environment says which replica it is: {@code EDL_ROLE}, {@code
 * EDL_INDEX}, {@code MASTER_ADDR}, {@code PS_ADDRS} and {@code WORKER_ID}, which a plan writes, and {@code EDL_TOKEN_FILE}.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *   EdlMain.run(Mnist::training);
 * }
 * }</pre>
 *
 * <p>The process ends with
 *
 * <ul>
 *   <li>0 when the training is complete,
 *   <li>70 when it cannot succeed, which another try would not change,
 *   <li>75 when another replica was absent for too long, so that this one is to be started again,
 *   <li>1 for anything else.
 * </ul>
 */
public final class EdlMain {
    private static final int FAILED = 1;
    private static final int USAGE = 64;

    private EdlMain() {}

    /**
     * Does what the environment says, and ends the JVM.
     *
     * @param training makes the training, the same one in each process; opens no data
     */
    public static void run(Supplier<Training> training) {
        System.exit(run(System.getenv(), training));
    }

    /** Does what an environment says; returns the exit code. */
    static int run(Map<String, String> environment, Supplier<Training> training) {
        try {
            ElasticDlEnv place = place(environment);
            switch (place.role()) {
                case MASTER -> new MasterProcess(place, environment, training.get()).run();
                case PS -> new ServerProcess(place, environment, training.get()).run();
                case WORKER -> new WorkerProcess(place, environment, training.get()).run();
                default ->
                    throw new UsageException("EDL_ROLE must be master, ps or worker, was \""
                            + place.role().id() + "\"");
            }
            return 0;
        } catch (UsageException mistake) {
            System.err.println(mistake.getMessage());
            return USAGE;
        } catch (TrainingFailedException | InvalidTrainingException | RefusedException failure) {
            System.err.println(failure.getMessage());
            return TrainingServices.CANNOT_SUCCEED;
        } catch (TryAgainException | ReplicaStopped away) {
            System.err.println(away.getMessage());
            return TrainingServices.TRY_AGAIN;
        } catch (InterruptedException stop) {
            System.err.println("interrupted");
            return TrainingServices.TRY_AGAIN;
        } catch (Throwable failure) {
            failure.printStackTrace();
            return FAILED;
        }
    }

    private static ElasticDlEnv place(Map<String, String> environment) {
        if (!environment.containsKey("EDL_ROLE")) {
            throw new UsageException(
                    "EDL_ROLE is not set, so this process is no replica of a job. A job sets it: submit"
                            + " TrainingJobs.here(YourProgram.class).ps(2).workers(4).build() with ProcessExecutor, or use"
                            + " the program in an image");
        }
        try {
            return ElasticDlEnv.parse(environment);
        } catch (IllegalArgumentException mistake) {
            throw new UsageException(Reason.of(mistake));
        }
    }

    /** The environment is not that of a replica. */
    static final class UsageException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }
}
