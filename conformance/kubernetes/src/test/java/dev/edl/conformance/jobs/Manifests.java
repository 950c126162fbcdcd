package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.k8s.render.Accelerator;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.RenderException;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.k8s.render.Workload;
import dev.edl.plan.JobPlan;
import dev.edl.plan.PlanException;
import dev.edl.plan.Profile;
import dev.edl.spec.Framework;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Checks that the API server accepts every object of jobs of each framework, profile and form with Pod Security
 * restricted enforced. The objects of the old operators are not restricted, and go to a namespace that does not enforce
 * it.
 */
@OnCluster("--nodes 0 --fake 1")
class Manifests {
    private static final Map<Framework, UnaryOperator<JobBuilder>> JOBS = Map.of(
            Framework.ELASTICDL,
                    job -> job.elasticdl().master(all -> {}).ps(2, all -> {}).workers(3, w -> w.elastic(1, 6)),
            Framework.TENSORFLOW,
                    job -> job.tensorflow()
                            .chief(all -> {})
                            .ps(2, all -> {})
                            .workers(3, all -> {})
                            .evaluator(all -> {}),
            Framework.MXNET,
                    job -> job.mxnet()
                            .scheduler(all -> {})
                            .servers(2, all -> {})
                            .workers(3, all -> {}),
            Framework.HOROVOD, job -> job.horovod().launcher(all -> {}).workers(3, w -> w.elastic(1, 6)),
            Framework.PYTORCH, job -> job.pytorch().workers(3, w -> w.elastic(1, 6)));
    private static final List<Profile> LEGACY =
            List.of(Profile.TFJOB_V1ALPHA1, Profile.MXJOB_V1BETA1, Profile.ET_V1ALPHA1);

    @Test
    void the_api_server_takes_every_object() {
        int objects = 0;
        int jobs = 0;
        List<String> refused = new ArrayList<>();
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            namespace(client, "strict", Map.of("pod-security.kubernetes.io/enforce", "restricted"));
            namespace(client, "lenient", Map.of());
            for (Framework framework : JOBS.keySet()) {
                for (Profile profile : Profile.values()) {
                    for (Workload workload : Workload.values()) {
                        for (PodOptions options : List.of(PodOptions.none(), options())) {
                            List<HasMetadata> made;
                            try {
                                made = objects(framework, profile, workload, options);
                            } catch (PlanException | RenderException e) {
                                continue;
                            }
                            jobs++;
                            for (HasMetadata object : made) {
                                objects++;
                                try {
                                    client.resource(object).dryRun().create();
                                } catch (KubernetesClientException e) {
                                    refused.add(framework + " " + profile + " " + workload + " " + object.getKind()
                                            + "/" + object.getMetadata().getName() + ": " + e.getMessage());
                                }
                            }
                        }
                    }
                }
            }
        }
        refused.forEach(System.err::println);
        System.out.println("kubernetes: the API server took " + (objects - refused.size()) + " of " + objects
                + " objects of " + jobs + " jobs");
        Checks.check(refused.isEmpty() && jobs > 40, refused.size() + " objects of " + jobs + " jobs were refused");
    }

    private static void namespace(KubernetesClient client, String name, Map<String, String> labels) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(labels)
                        .endMetadata()
                        .build())
                .create();
    }

    private static PodOptions options() {
        return PodOptions.builder()
                .apiAccess("", "pods", "get", "list")
                .imagePullSecret("registry")
                .secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
                .priorityClass("high", 1_000_000)
                .role(
                        "worker",
                        worker -> worker.accelerator(Accelerator.nvidiaMig("1g.5gb", 1))
                                .toleration("nvidia.com/gpu", "NoSchedule")
                                .memoryVolume("/dev/shm", "1Gi"))
                .tensorBoard(TensorBoard.of("/data/logs")
                        .image("tensorflow/tensorflow:2.15.0")
                        .volume(Volume.claim("logs", "/data").readOnly(true)))
                .build();
    }

    private static List<HasMetadata> objects(
            Framework framework, Profile profile, Workload workload, PodOptions options) {
        JobPlan plan = JOBS.get(framework)
                .apply(Job.named("a-job-of-the-checks")
                        .namespace(LEGACY.contains(profile) ? "lenient" : "strict")
                        .image("edl.local/busybox:1")
                        .command("sh", "-c", "echo \"$(X)\" $$ && sleep 1")
                        .request("cpu=10m,memory=16Mi")
                        .env("X", "two\nlines: 'x' \"y\" $(Z) $$ \u00e9")
                        .runId("ab12"))
                .build()
                .plan(profile);
        return dev.edl.k8s.render.Manifests.of(plan, options, workload).objects().stream()
                // A dry run does not create the account that the API server requires for a pod.
                .filter(object -> !object.getKind().equals("Pod") || !asks(object))
                .toList();
    }

    private static boolean asks(HasMetadata pod) {
        return ((io.fabric8.kubernetes.api.model.Pod) pod).getSpec().getServiceAccountName() != null;
    }
}
