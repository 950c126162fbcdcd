package dev.edl.runtime.internal.check;

import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import dev.edl.runtime.InvalidTrainingException;
import dev.edl.runtime.Training;
import dev.edl.spec.RoleType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks that the parameters of a training fit into this JVM's memory. */
public final class ModelSizeCheck {
    private static final long MEBI = 1L << 20;
    private static final long GIBI = 1L << 30;

    private ModelSizeCheck() {}

    /**
     * Checks that the heap is at least as large as the training's parameters need.
     *
     * @throws InvalidTrainingException when the heap is smaller; the message has the number of parameters, their bytes
     *     and the heap that they need
     */
    public static void check(Training training, JobPlan plan) {
        if (needed(training, plan) > Runtime.getRuntime().maxMemory()) {
            throw tooLarge(training, plan, null);
        }
    }

    /** Returns the exception for a training whose parameters did not fit. */
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
        // Other memory, such as for records and rows of embedding tables, is additional.
        long gib = Math.max(1, (copies * bytes + bytes / 2 + GIBI - 1) / GIBI) + 1;
        return String.format(
                Locale.ROOT,
                "model \"%s\" has %,d parameters, %s as 32-bit floats; a training with %d %s and %s holds at least %d copies"
                        + " (weights, optimizer slots, gradients): %s, but the heap limit of this JVM is %s; raise"
                        + " it, for example -Xmx%dg, or train a smaller model",
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

    /**
     * Returns how many copies of the parameters this JVM holds: initial values, the shards' weights and slots, and at
     * least one gradient for each worker.
     */
    private static int copies(Training training, JobPlan plan) {
        return 2 + training.optimizer().slots().size() + workers(plan);
    }

    private static int workers(JobPlan plan) {
        return plan.role(RoleType.WORKER).map(RolePlan::replicas).orElse(1);
    }
}
