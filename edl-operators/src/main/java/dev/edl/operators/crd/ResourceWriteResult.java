package dev.edl.operators.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Custom resource written from a job, with the settings that it cannot express.
 *
 * @param resource the custom resource
 * @param losses settings that it cannot express, in the order of the job; empty for none
 */
public record ResourceWriteResult(CustomObject resource, List<ConversionLoss> losses) {
    /** Copies the losses. */
    public ResourceWriteResult {
        losses = List.copyOf(losses);
    }

    /** Returns the resource as YAML, always the same bytes. */
    public String toYaml() {
        return resource.toYaml();
    }

    /** Returns the resource on one line, and a line for each loss. */
    @Override
    public String toString() {
        return resource
                + losses.stream()
                        .map(loss -> System.lineSeparator() + "  " + loss)
                        .collect(Collectors.joining());
    }
}
