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

/** Adds the commands that grant missing permissions to a refused submit. */
final class SubmitPermissionAdvice {
    private SubmitPermissionAdvice() {}

    /**
     * Submits a job. If a permission is missing, the exception's message has the commands that grant every missing one.
     */
    static KubernetesRun explained(
            KubernetesClient client, JobPlan plan, PodOptions options, Supplier<KubernetesRun> submit) {
        try {
            return submit.get();
        } catch (KubernetesClientException e) {
            throw explained(e, client, plan, options);
        }
    }

    /** Returns the refusal with the commands that grant every missing permission; another error unchanged. */
    private static KubernetesClientException explained(
            KubernetesClientException refused, KubernetesClient client, JobPlan plan, PodOptions options) {
        if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN
                || MissingPermission.in(String.valueOf(refused.getMessage())).isEmpty()) {
            return refused;
        }
        List<String> commands = commands(client, plan, options);
        if (commands.isEmpty()) {
            return MissingPermission.withGrantCommand(refused);
        }
        return new KubernetesClientException(
                String.join(
                        "\n",
                        Stream.concat(
                                        Stream.of(
                                                "job \"" + plan.name() + "\" was not submitted: "
                                                        + refused.getMessage(),
                                                "To grant the missing permissions, an administrator of namespace"
                                                        + " \"" + plan.namespace()
                                                        + "\" runs:"),
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
            // The API server does not list the missing permissions; the refusal itself still names the first.
            return List.of();
        }
    }
}
