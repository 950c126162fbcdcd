package dev.edl.operators.crd.internal;

import dev.edl.operators.crd.CustomObject;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the status of a resource that is being read. Unknown keys are not mistakes there, because an operator wrote the
 * status.
 */
public final class StatusLookup {
    private StatusLookup() {}

    /**
     * Returns the status; empty when the operator has not written one.
     *
     * @param types permitted versions and kinds, each such as {@code tensorflow.org/v1alpha1 TfJob}
     * @throws dev.edl.operators.crd.InvalidResourceException when the resource has another kind, or its status is not
     *     a map
     */
    public static Optional<CustomObjectFieldReader> of(
            CustomObject resource, ConversionReport report, String... types) {
        String type = resource.apiVersion() + " " + resource.kind();
        if (!Arrays.asList(types).contains(type)) {
            report.mistake("apiVersion and kind must be one of " + String.join(", ", types) + ", were " + type);
        }
        report.refuseMistakes();
        Optional<CustomObjectFieldReader> status =
                CustomObjectFieldReader.ofAny(resource, report).map("status");
        report.refuseMistakes();
        return status.filter(fields -> !fields.content().equals(Map.of()));
    }
}
