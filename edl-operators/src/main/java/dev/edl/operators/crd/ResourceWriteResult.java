package dev.edl.operators.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Custom resource written from a job, with the job's settings that the resource cannot express.
 *
 * @param resource the custom resource
 * @param losses settings of the job that the resource cannot express, in the job's order; empty for none
 */
public record ResourceWriteResult(CustomObject resource, List<ConversionLoss> losses) {
    /** Copies the list of losses. */
    public ResourceWriteResult {
        losses = List.copyOf(losses);
    }

    /** Returns the resource as YAML. Equal calls return equal text. */
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
