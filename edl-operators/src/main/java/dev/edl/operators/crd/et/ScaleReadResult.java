package dev.edl.operators.crd.et;

import dev.edl.operators.crd.ConversionLoss;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Request read from a ScaleIn or ScaleOut.
 *
 * @param request read from the resource
 * @param losses what it cannot express, in the order of the resource
 */
public record ScaleReadResult(ScaleRequest request, List<ConversionLoss> losses) {
    /** Copies the losses. */
    public ScaleReadResult {
        losses = List.copyOf(losses);
    }

    /** Returns the request, and a line for each loss. */
    @Override
    public String toString() {
        return request
                + losses.stream()
                        .map(loss -> System.lineSeparator() + "  " + loss)
                        .collect(Collectors.joining());
    }
}
