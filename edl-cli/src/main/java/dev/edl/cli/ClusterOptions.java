package dev.edl.cli;

import dev.edl.cli.cluster.ClusterConnection;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.render.PodOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags that select a cluster and a namespace, as kubectl has them. */
final class ClusterOptions {
    @Mixin
    private ClusterConnection connection = new ClusterConnection();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Namespace of the job. Default: the job's own, or that of the context.")
    private @Nullable String namespace;

    /** Returns the job in the flag's namespace; without the flag, in the job's own or else the cluster context's. */
    ParsedJob placed(ParsedJob source, KubernetesExecutor executor) {
        return namespace == null && source.placed() ? source : source.in(namespace(executor));
    }

    /** Returns the flag's namespace; without the flag, the namespace of the cluster's context, as kubectl does. */
    String namespace(KubernetesExecutor executor) {
        return namespace == null ? executor.namespace() : namespace;
    }

    /** Returns an executor for the cluster, for jobs whose pods it does not create. */
    KubernetesExecutor executor() {
        return executor(PodOptions.none());
    }

    /** Returns an executor for the cluster, whose pods have the given options. */
    KubernetesExecutor executor(PodOptions options) {
        return connection.executor(options);
    }
}
