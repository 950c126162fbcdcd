package dev.edl.operators.crd.internal;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the mistakes in one resource or job, and the losses of its conversion. Not thread-safe. */
public final class ConversionReport {
    private final String resource;
    private final List<String> mistakes = new ArrayList<>();
    private final List<ConversionLoss> losses = new ArrayList<>();

    /**
     * Creates an empty report.
     *
     * @param kind kind of the resource, such as {@code TfJob}
     * @param name name of the resource; empty when it has none
     */
    public ConversionReport(String kind, String name) {
        this.resource = (kind.isEmpty() ? "resource" : kind) + (name.isEmpty() ? "" : " \"" + name + "\"");
    }

    /** Adds a mistake. */
    public void mistake(String line) {
        mistakes.add(line);
    }

    /** Adds a loss. */
    public void loss(String path, @Nullable Object value, String why) {
        losses.add(ConversionLoss.of(path, value, why));
    }

    /** Returns the losses so far. */
    public List<ConversionLoss> losses() {
        return List.copyOf(losses);
    }

    /**
     * Throws if a mistake was added; returns otherwise.
     *
     * @throws InvalidResourceException with every mistake that was added
     */
    public void refuseMistakes() {
        if (!mistakes.isEmpty()) {
            throw new InvalidResourceException(resource, mistakes);
        }
    }

    /**
     * Builds the job from the fields that were read.
     *
     * @throws InvalidResourceException with all mistakes found while reading; without any, with those found while
     *     building the job
     */
    public Job job(JobSpec.Builder spec) {
        refuseMistakes();
        try {
            return Job.of(spec.build());
        } catch (InvalidJobException e) {
            throw new InvalidResourceException(
                    resource + " as a job",
                    e.problems().stream()
                            .map(line -> line.substring(line.indexOf(": ") + 2))
                            .toList());
        }
    }
}
