package dev.edl.runtime.engine.files;

import dev.edl.plan.JobPlan;
import dev.edl.runtime.Training;
import dev.edl.runtime.optimizers.Consistency;
import dev.edl.runtime.optimizers.UpdateRule;
import java.util.stream.Collectors;

/**
 * Text that describes how to run a training again: the command if it is known, the seed, and the settings in the
 * builders' terms.
 */
public final class ReproductionText {
    private ReproductionText() {}

    public static String of(Training training, JobPlan plan) {
        return of(training)
                + "\njob: " + plan.name() + ": "
                + plan.roles().stream()
                        .map(role -> role.type().id() + " x " + role.replicas())
                        .collect(Collectors.joining(", "));
    }

    public static String of(Training training) {
        return training.command().map(command -> "command: " + command + "\n").orElse("")
                + "seed: " + training.seed()
                + "\nsettings: " + settings(training)
                + "\nmodel: " + training.model()
                + training.from().map(from -> "\nfrom: " + from).orElse("")
                + "\ndata: " + training.data()
                + training.validation().map(data -> "\nvalidation: " + data).orElse("")
                + "\nsame numbers: "
                + (training.consistency().isSynchronous()
                        ? "to the last bits with one worker, and nearly so with more"
                        : "about, since the order of the workers' pushes differs from run to run; one worker and"
                                + " Consistency.synchronous() give the same");
    }

    private static String settings(Training t) {
        boolean scheduled = !t.learningRate()
                .toString()
                .equals(UpdateRule.of(t.optimizer(), t.consistency())
                        .learningRate()
                        .toString());
        return ".seed(" + t.seed() + "L).optimizer(Optimizer.parse(\"" + t.optimizer() + "\"))"
                + (scheduled ? ".learningRate(LearningRateSchedule.parse(\"" + t.learningRate() + "\"))" : "")
                + ".consistency(" + consistency(t.consistency()) + ").minibatch(" + t.minibatch()
                + ").minibatchesPerTask("
                + t.minibatchesPerTask() + ").epochs(" + t.epochs() + ").shuffle(" + t.shuffle() + ")"
                + (t.maxSteps() > 0 ? ".maxSteps(" + t.maxSteps() + ")" : "");
    }

    private static String consistency(Consistency c) {
        if (c.isAsynchronous()) {
            return "Consistency.asynchronous()";
        }
        String bound = c.isSynchronous() ? "Consistency.synchronous()" : "Consistency.staleness(" + c.staleness() + ")";
        Consistency usual = c.isSynchronous() ? Consistency.synchronous() : Consistency.staleness((int) c.staleness());
        return c.equals(usual) ? bound : bound + ".withGradsToWait(" + c.gradsToWait() + ")";
    }
}
