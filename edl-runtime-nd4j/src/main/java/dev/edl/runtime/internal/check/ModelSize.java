package dev.edl.runtime.internal.check;

import dev.edl.RoleType;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the parameters of a training fit into this JVM's memory. */
public final class ModelSize {
    private static final long MEBI = 1L << 20;
    private static final long GIBI = 1L << 30;

    private ModelSize() {}

    /**
     * Passes when the heap may hold what a training holds at least.
     *
     * @throws InvalidTrainingException with the parameters, their bytes and the heap that they need
     */
    public static void check(Training training, JobPlan plan) {
        if (needed(training, plan) > Runtime.getRuntime().maxMemory()) {
            throw tooLarge(training, plan, null);
        }
    }

    /** Returns what is to be said of a training whose parameters did not fit. */
    public static InvalidTrainingException tooLarge(Training training, JobPlan plan, @Nullable Throwable cause) {
        InvalidTrainingException failure = new InvalidTrainingException(List.of(text(
                training.modelName(),
                training.model().layout().size(),
                copies(training, plan),
                workers(plan),
                training.optimizer().toString(),
                Runtime.getRuntime().maxMemory())));
        if (cause != null) {
            failure.initCause(cause);
        }
        return failure;
    }

    public static String text(String model, long parameters, int copies, int workers, String optimizer, long heap) {
        long bytes = Float.BYTES * parameters;
        // What is no parameter, such as records and the rows of embedding tables, comes on top.
        long gib = Math.max(1, (copies * bytes + bytes / 2 + GIBI - 1) / GIBI) + 1;
        return String.format(
                Locale.ROOT,
                "model \"%s\" has %,d parameters, %s as 32-bit floats; a training with %d %s and %s holds at least %d copies"
                        + " (weights, optimizer slots, gradients): %s, but the heap of this JVM ends at %s; give it more, for"
                        + " example -Xmx%dg, or train a smaller model",
                model,
                parameters,
                size(bytes),
                workers,
                workers == 1 ? "worker" : "workers",
                optimizer,
                copies,
                size(copies * bytes),
                size(heap),
                gib);
    }

    private static String size(long bytes) {
        return bytes >= GIBI
                ? String.format(Locale.ROOT, "%.1f GiB", (double) bytes / GIBI)
                : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / MEBI);
    }

    private static long needed(Training training, JobPlan plan) {
        return (long) copies(training, plan)
                * Float.BYTES
                * training.model().layout().size();
    }

    /** The initial values, the shards' weights and slots, and of each worker at least its gradient. */
    private static int copies(Training training, JobPlan plan) {
        return 2 + training.optimizer().slots().size() + workers(plan);
    }

    private static int workers(JobPlan plan) {
        return plan.role(RoleType.WORKER).map(RolePlan::replicas).orElse(1);
    }
}
