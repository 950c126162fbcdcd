package dev.edl.cli;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesExecutorBuilder;
import dev.edl.k8s.render.PodOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags that select a cluster and a namespace, as kubectl has them. */
final class ClusterOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig file. Default: KUBECONFIG, ~/.kube/config, or the account of this pod.")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig file.")
    private @Nullable String context;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the job. Default: the job's own, or that of the context.")
    private @Nullable String namespace;

    /** Returns the job in the namespace of the flag, if there is one. */
    JobSource placed(JobSource source) {
        return namespace == null
                ? source
                : new JobSource(
                        source.job().toBuilder().namespace(namespace).build(),
                        source.options(),
                        source.losses(),
                        source.kind());
    }

    /** Returns the namespace of the flag; without it, that of the cluster's context, as kubectl does. */
    String namespace(KubernetesExecutor executor) {
        return namespace == null ? executor.namespace() : namespace;
    }

    /** Returns an executor for the cluster, for jobs whose pods it does not create. */
    KubernetesExecutor executor() {
        return executor(PodOptions.none());
    }

    /** Returns an executor for the cluster, whose pods have the given options. */
    KubernetesExecutor executor(PodOptions options) {
        KubernetesExecutorBuilder builder = KubernetesExecutor.builder().options(options);
        if (kubeconfig != null && context != null) {
            builder.kubeconfig(kubeconfig, context);
        } else if (kubeconfig != null) {
            builder.kubeconfig(kubeconfig);
        } else if (context != null) {
            builder.kubeconfig(Path.of(System.getProperty("user.home"), ".kube", "config"), context);
        }
        return builder.build();
    }
}
