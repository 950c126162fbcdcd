package dev.edl.conformance.jobs;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Cluster;
import dev.edl.conformance.Frameworks;
import dev.edl.conformance.OnCluster;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Volume;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Checks TensorFlow's own parameter servers in pods that find each other by the Services of a TfJob. A deleted worker
 * does not interrupt TensorFlow. After a parameter server is deleted, its leader ends with a retryable code and resumes
 * from its checkpoint. Both are recreated under their names, as that operator's replicas are.
 */
@OnCluster("--nodes 3")
class TensorFlowPods {
    @Test
    void tensorflow_trains_in_pods() throws Exception {
        Frameworks tensorflow = Frameworks.of("tensorflow", Cluster.scripts());
        try (KubernetesClient client = new KubernetesClientBuilder().build();
                KubernetesExecutor executor = KubernetesExecutor.using(client, Frameworks.OPTIONS)) {
            Checks.namespace(client, "edl-tensorflow", false);
            JobBuilder job = Job.named("tf")
                    .namespace("edl-tensorflow")
                    .tensorflow()
                    .runId("76no")
                    .image("edl.local/busybox:1")
                    .command(tensorflow.python, "-W", "ignore", tensorflow.programs + "/tensorflow/restartable.py")
                    .env("MODEL_DIR", "/shared")
                    .env("CUDA_VISIBLE_DEVICES", "")
                    .env("PYTHONDONTWRITEBYTECODE", "1")
                    .exitCodes(ExitCodePolicy.TFJOB_V1ALPHA1)
                    .relaunchLimit(0)
                    .request("cpu=300m,memory=256Mi")
                    .limit("cpu=2,memory=2Gi");
            for (Volume volume : tensorflow.volumes) {
                job.volume(volume);
            }
            JobPlan plan = job.master(all -> {})
                    .ps(2, all -> {})
                    .workers(2, all -> {})
                    .build()
                    .plan(Profile.TFJOB_V1ALPHA1);
            KubernetesRun run = executor.submit(plan);
            run.onEvent(event -> System.out.println("  " + event));
            tensorflow.trains("TensorFlow trains", run, 3);

            Frameworks.replaced(client, run, "tf-worker-76no-1");
            tensorflow.trains("it goes on after the loss of a worker", run, 3);
            System.out.println("kubernetes: a worker was deleted and came back under its name; TensorFlow trained on");

            Frameworks.replaced(client, run, "tf-ps-76no-1");
            Checks.until(
                    "the leader notices, and is relaunched",
                    () -> run + "\n" + run.events(),
                    () -> run.events().stream()
                            .anyMatch(e -> e.message().equals("Relaunch the master: tf-master-76no-0")));
            tensorflow.trains("it goes on after the loss of a parameter server", run, 3);
            System.out.println(
                    "kubernetes: a parameter server was deleted and came back under its name; the leader was relaunched and"
                            + " went on from its checkpoint");

            Files.createFile(tensorflow.shared.resolve("finish"));
            JobStatus end = run.await(Duration.ofSeconds(90));
            Checks.check(end.phase() == JobPhase.SUCCEEDED, "the job must succeed, but " + end);
            System.out.println(
                    "kubernetes: TensorFlow's parameter servers trained in pods, loss " + tensorflow.learned());
            executor.delete("edl-tensorflow", "tf");
            client.namespaces().withName("edl-tensorflow").delete();
        } finally {
            tensorflow.remove();
        }
    }
}
