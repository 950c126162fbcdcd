package dev.edl.notebook;

import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.CustomObject;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import java.util.List;

/** Custom resources as HTML, with what is lost on the way. Needs module {@code edl-operators}. */
public final class ResourceHtml {
    private ResourceHtml() {}

    /** Returns the job that a resource is read as, and what neither it nor its pods' options can say. */
    public static String of(JobReadResult result) {
        return losses(result.losses()) + JobHtml.of(result.job());
    }

    /** Returns the resource that a job is written as, and what it cannot say of the job. */
    public static String of(ResourceWriteResult result) {
        return losses(result.losses()) + of(result.resource());
    }

    /** Returns a resource as YAML, without what is secret in it. */
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
