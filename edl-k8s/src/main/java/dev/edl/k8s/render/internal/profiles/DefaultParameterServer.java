package dev.edl.k8s.render.internal.profiles;

import dev.edl.k8s.render.internal.PodAdditions;
import dev.edl.plan.Endpoint;
import dev.edl.plan.JobPlan;
import dev.edl.plan.RolePlan;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** TfJob operator's default parameter server, a standard TensorFlow server, for a job without its own. */
public final class DefaultParameterServer {
    private static final String VOLUME = "ps-config-volume";
    private static final String DIRECTORY = "/ps-server";
    private static final String FILE = "grpc_tensorflow_server.py";

    /**
     * Python program of the parameter server. It has the same arguments as the operator's program, which was a file of
     * the operator's image.
     */
    private static final String PROGRAM = """
            import argparse

            import tensorflow as tf


            def cluster(text):
                jobs = {}
                for part in text.split(","):
                    name, bar, tasks = part.partition("|")
                    hosts = tasks.split(";")
                    if not name or not bar or "|" in tasks or not all(hosts):
                        raise ValueError("not of the form job|host:port;host:port,job|...: " + repr(text))
                    jobs[name] = hosts
                return jobs


            parser = argparse.ArgumentParser()
            parser.add_argument("--cluster_spec", required=True)
            parser.add_argument("--job_name", required=True)
            parser.add_argument("--task_id", type=int, required=True)
            parser.add_argument("--gpu_memory_fraction", type=float, default=1.0)
            args = parser.parse_args()

            options = tf.GPUOptions(per_process_gpu_memory_fraction=args.gpu_memory_fraction)
            server = tf.train.Server(
                tf.train.ClusterSpec(cluster(args.cluster_spec)),
                job_name=args.job_name,
                task_index=args.task_id,
                config=tf.ConfigProto(gpu_options=options))
            server.join()
            """;

    private DefaultParameterServer() {}

    /** Returns the ConfigMap with the program, without labels and owner, as the operator created it. */
    static ConfigMap program(JobPlan plan) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(configMap(plan))
                .withNamespace(plan.namespace())
                .endMetadata()
                .addToData(FILE, PROGRAM)
                .build();
    }

    static void complete(JobPlan plan, String index, PodTemplateSpec pod) {
        pod.getSpec()
                .getContainers()
                .get(0)
                .setCommand(List.of(
                        "python",
                        DIRECTORY + "/" + FILE,
                        "--cluster_spec",
                        clusterSpec(plan),
                        "--job_name",
                        "ps",
                        "--task_id",
                        index));
        PodAdditions.mount(
                pod,
                new VolumeBuilder()
                        .withName(VOLUME)
                        .withNewConfigMap()
                        .withName(configMap(plan))
                        .endConfigMap()
                        .build(),
                new VolumeMountBuilder()
                        .withName(VOLUME)
                        .withMountPath(DIRECTORY)
                        .build());
    }

    /** Returns {@code master|m-0:2222,ps|p-0:2222;p-1:2222}: roles by name. */
    public static String clusterSpec(JobPlan plan) {
        return plan.roles().stream()
                .sorted(Comparator.comparing((RolePlan role) -> role.type().id()))
                .map(role -> role.type().id() + "|"
                        + plan.endpoints(role).stream().map(Endpoint::address).collect(Collectors.joining(";")))
                .collect(Collectors.joining(","));
    }

    private static String configMap(JobPlan plan) {
        return "cm-ps-" + plan.runId();
    }
}
