package dev.edl.notebook;

import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import java.util.List;

/**
 * Custom resources as HTML, with the values that a conversion from or to a job loses. Needs module
 * {@code edl-operators}.
 */
public final class CustomResourceHtml {
    private CustomResourceHtml() {}

    /**
     * Returns the job read from a resource, and the values of the resource that neither the job nor its pod options can
     * express.
     */
    public static String of(JobReadResult result) {
        return losses(result.losses()) + JobHtml.of(result.job());
    }

    /** Returns the resource written from a job, and the values of the job that the resource cannot express. */
    public static String of(ResourceWriteResult result) {
        return losses(result.losses()) + of(result.resource());
    }

    /** Returns a resource as YAML with secrets masked. */
    public static String of(CustomObject resource) {
        return KubernetesHtml.of(resource.toKubernetes());
    }

    private static Html losses(List<ConversionLoss> losses) {
        return losses.isEmpty()
                ? Html.line("Nothing is lost.")
                : Html.table(
                        List.of("lost", "value", "why"),
                        losses.stream()
                                .map(loss -> List.of(loss.path(), loss.value(), loss.why()))
                                .toList());
    }
}
