package dev.edl.k8s;

import dev.edl.k8s.client.MissingPermission;
import dev.edl.k8s.preflight.Preflight;
import dev.edl.k8s.render.PodOptions;
import dev.edl.plan.JobPlan;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What grants the rights that a submitter lacks, told with the refusal. */
final class SubmitPermissionAdvice {
    private SubmitPermissionAdvice() {}

    /** Submits; a refusal for want of a right has the commands that grant every missing right. */
    static KubernetesRun explained(
            KubernetesClient client, JobPlan plan, PodOptions options, Supplier<KubernetesRun> submit) {
        try {
            return submit.get();
        } catch (KubernetesClientException e) {
            throw explained(e, client, plan, options);
        }
    }

    /** Returns the refusal with the commands that grant every missing right; another error as it is. */
    private static KubernetesClientException explained(
            KubernetesClientException refused, KubernetesClient client, JobPlan plan, PodOptions options) {
        if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN
                || MissingPermission.in(String.valueOf(refused.getMessage())).isEmpty()) {
            return refused;
        }
        List<String> commands = commands(client, plan, options);
        if (commands.isEmpty()) {
            return MissingPermission.told(refused);
        }
        return new KubernetesClientException(
                String.join(
                        "\n",
                        Stream.concat(
                                        Stream.of(
                                                "job \"" + plan.name() + "\" was not submitted: "
                                                        + refused.getMessage(),
                                                "A person who may grant rights in namespace \"" + plan.namespace()
                                                        + "\" grants what is missing by:"),
                                        commands.stream().map(line -> "$ " + line))
                                .toList()),
                refused,
                refused.getCode(),
                refused.getStatus(),
                null);
    }

    private static List<String> commands(KubernetesClient client, JobPlan plan, PodOptions options) {
        try {
            return Preflight.ofPermissions(client, plan, options).errors().stream()
                    .map(problem -> problem.fix().command())
                    .flatMap(Optional::stream)
                    .toList();
        } catch (KubernetesClientException e) {
            // The API server does not say what is missing; the refusal itself still names one right.
            return List.of();
        }
    }
}
