package dev.edl.cli.cluster;

import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesExecutorBuilder;
import dev.edl.k8s.render.PodOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags that select a cluster, as kubectl has them. */
public final class ClusterConnection {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Kubeconfig file. Default: KUBECONFIG, ~/.kube/config, or the account of this pod.")
    private @Nullable Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig file.")
    private @Nullable String context;

    /** Returns an executor for the cluster, whose pods have the given options. */
    public KubernetesExecutor executor(PodOptions options) {
        KubernetesExecutorBuilder builder = KubernetesExecutor.builder().options(options);
        if (kubeconfig != null && context != null) {
            builder.kubeconfig(kubeconfig, context);
        } else if (kubeconfig != null) {
            builder.kubeconfig(kubeconfig);
        } else if (context != null) {
            builder.context(context);
        }
        return builder.build();
    }
}
