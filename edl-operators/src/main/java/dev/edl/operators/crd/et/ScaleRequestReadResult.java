package dev.edl.operators.crd.et;

import dev.edl.operators.crd.ConversionLoss;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Scaling request read from a ScaleIn or ScaleOut, with the settings that it cannot express.
 *
 * @param request request that was read from the resource
 * @param losses settings of the resource that the request cannot express, in the resource's order
 */
public record ScaleRequestReadResult(ScaleRequest request, List<ConversionLoss> losses) {
    /** Copies the list of losses. */
    public ScaleRequestReadResult {
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
