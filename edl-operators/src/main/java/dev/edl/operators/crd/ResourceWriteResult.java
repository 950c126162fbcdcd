package dev.edl.operators.crd;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A custom resource that was written.
 *
 * @param resource what the resource can say
 * @param losses what it cannot, in the order of the job; empty when the resource says it all
 */
public record ResourceWriteResult(CustomObject resource, List<ConversionLoss> losses) {
    /** Copies the losses. */
    public ResourceWriteResult {
        losses = List.copyOf(losses);
    }

    /** The resource as YAML; the same bytes each time. */
    public String toYaml() {
        return resource.toYaml();
    }

    /** The resource on one line, and a line for each loss. */
    @Override
    public String toString() {
        return resource
                + losses.stream()
                        .map(loss -> System.lineSeparator() + "  " + loss)
                        .collect(Collectors.joining());
    }
}
