package dev.edl.k8s.render;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.DriverPod;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.LogFollower;
import dev.edl.k8s.nodes.NodeNotices;
import dev.edl.k8s.preflight.PreflightReport;
import dev.edl.k8s.preflight.SubmitterRole;
import dev.edl.spec.Volume;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The Java of docs/kubernetes.md. */
final class KubernetesPageExamples {
    private KubernetesPageExamples() {}

    static List<Object> elasticDl() {
        // region: job
        Job job = Job.named("test-mnist")
                .image("gcr.io/acme/elasticdl:mnist")
                .request("cpu=2,memory=2048Mi")
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .master()
                .priority(HIGH)
                .ps(2)
                .priority(HIGH)
                .workers(4)
                .elastic(1, 8)
                .priority(LOW)
                .build();
        PodTemplateSpec pod = PodTemplates.of(job.plan()).get("worker", 2);
        String podYaml = PodTemplates.of(job.plan()).toYaml("worker", 2);
        Manifests manifests = Manifests.of(job.plan());
        String yaml = manifests.toYaml();
        List<Service> services = manifests.objects(Service.class);
        // end
        // region: options
        PodOptions options = PodOptions.builder()
                .imagePullSecret("registry")
                .secretEnv("AWS_SECRET_ACCESS_KEY", "s3", "secret")
                .priorityClass("high", 1_000_000)
                .priorityClass("low", 1000)
                .role(
                        "worker",
                        w -> w.accelerator(Accelerator.nvidiaMig("1g.5gb", 1))
                                .toleration("nvidia.com/gpu", "NoSchedule")
                                .memoryVolume("/dev/shm", "8Gi"))
                .pod(template -> template.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(5L)
                        .endSpec()
                        .build())
                .tensorBoard(TensorBoard.of("/data/logs")
                        .image("tensorflow/tensorflow:2.15.0")
                        .volume(Volume.claim("fileserver-claim", "/data").readOnly(true)))
                .build();
        Manifests all = Manifests.of(job.plan(), options);
        // end
        return List.of(pod, yaml, services, all, podYaml);
    }

    static void before(KubernetesClient client, Job job, PodOptions options) {
        // region: preflight
        try (KubernetesExecutor cluster = KubernetesExecutor.using(client, options)) {
            PreflightReport report = cluster.preflight(job);
            System.out.println(report);
            report.throwIfAny();
        }
        // end
    }

    static String role(Job job, PodOptions options) {
        // region: role
        String yaml = SubmitterRole.of(job.plan(), options)
                .logs()
                .exec()
                .preflight()
                .toYaml(SubmitterRole.serviceAccount("team-a", "trainer"));
        // end
        return yaml;
    }

    static void run(Job job, PodOptions options) throws InterruptedException {
        // region: run
        Path kubeconfig = Path.of("/etc/acme/kubeconfig");
        try (KubernetesExecutor cluster = KubernetesExecutor.builder()
                        .kubeconfig(kubeconfig, "gpu-cluster")
                        .options(options)
                        .build();
                KubernetesRun run = cluster.submit(job, event -> System.out.println(event));
                LogFollower log = run.logs("worker-0", line -> System.out.println(line))) {
            run.scale("worker", 6);
            JobStatus end = run.awaitSuccess(Duration.ofHours(2));
            log.awaitEnd(Duration.ofMinutes(1));
            System.out.println(end);
        }
        // end
    }

    static KubernetesExecutor nodes(KubernetesClient client) {
        // region: nodes
        KubernetesExecutor cluster = KubernetesExecutor.builder()
                .client(client)
                .nodeNotices(NodeNotices.standard().taint("acme.example/maintenance"))
                .build();
        // end
        return cluster;
    }

    static void handOver(KubernetesExecutor cluster, Job longJob) {
        // region: driver
        cluster.submit(longJob);
        cluster.handOver(
                "default", "long", DriverPod.of("registry.example/acme/edl:1").mainClass("com.example.Driver"));
        // end
    }
}
