package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.edl.Job;
import dev.edl.env.HorovodHosts;
import dev.edl.exec.JobStatus;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodSecurity;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.operators.CustomResourceExecutor;
import dev.edl.operators.CustomResourceKind;
import dev.edl.operators.CustomResourceRun;
import dev.edl.operators.crd.et.ObservedScaling;
import dev.edl.operators.crd.et.ObservedWorker;
import dev.edl.operators.crd.et.ScaleDecider;
import dev.edl.operators.crd.et.ScaleDecision;
import dev.edl.operators.crd.et.ScaleOrder;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.Scaler;
import dev.edl.operators.crd.kinds.CustomResources;
import dev.edl.operators.crd.kubeflow.KubeflowStatuses;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.status.JobPhase;
import dev.edl.status.ObservedPhase;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java of docs/custom-resources.md, line by line, and compares its results with those on the page. */
class CustomResourcesPageTest {
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../docs/custom-resources.md"));
    }

    private List<String> blocks(String language) {
        return Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$")
                .matcher(page)
                .results()
                .filter(found -> found.group(1).equals(language))
                .map((MatchResult found) -> found.group(2))
                .toList();
    }

    @Test
    void a_resource_becomes_the_job_and_the_losses_that_the_page_shows(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("mnist.yaml");
        Files.writeString(file, blocks("yaml").get(0));

        JobReadResult reading = CustomResources.read(Files.readString(file));

        assertThat(blocks("").get(0)).isEqualTo(reading.toString().replace(System.lineSeparator(), "\n") + "\n");
    }

    @Test
    void the_job_goes_where_the_page_says() {
        JobReadResult reading = KubeflowTfJobs.read(blocks("yaml").get(0));

        Job job = reading.job().toBuilder().workers(8).build();

        JobPlan plan = job.plan(Profile.KUBEFLOW_V1);
        PodTemplateSpec pod = PodTemplates.of(plan, reading.options()).get("worker", 7);
        String objects = Manifests.of(plan, reading.options()).toYaml();

        ResourceWriteResult written = KubeflowTfJobs.write(job, reading.options());

        PodOptions asRoot =
                reading.options().toBuilder().security(PodSecurity.AS_GIVEN).build();

        PodTemplateSpec root = PodTemplates.of(plan, asRoot).get("worker", 7);
        assertThat(root.getSpec().getSecurityContext()).isNull();
        assertThat(root.getSpec().getTolerations()).hasSize(1);
        assertThat(pod.getSpec().getTolerations())
                .extracting(Toleration::getKey)
                .containsExactly("nvidia.com/gpu");
        assertThat(pod.getSpec().getContainers().get(0).getWorkingDir()).isEqualTo("/app");
        assertThat(objects).contains("mnist-worker-7", "disk: ssd");
        assertThat(written.losses()).isEmpty();
        assertThat(written.toYaml())
                .contains("replicas: 8\n", "disk: ssd\n", "key: nvidia.com/gpu\n", "workingDir: /app\n");
    }

    @Test
    void a_job_becomes_the_resource_and_the_losses_that_the_page_shows() {
        Job job = Job.named("example-job")
                .tensorflow()
                .image("registry.example/acme/mnist:1")
                .master()
                .ps(2)
                .workers(4)
                .elastic(1, 8)
                .build();

        PodOptions options = PodOptions.builder()
                .role("worker", w -> w.toleration("nvidia.com/gpu", "NoSchedule"))
                .build();

        ResourceWriteResult written = KubeflowTfJobs.write(job, options);

        assertThat(blocks("").get(1))
                .isEqualTo(written.losses().stream().map(loss -> loss + "\n").collect(Collectors.joining()));
        assertThat(written.toYaml()).contains("effect: NoSchedule\n");
    }

    @Test
    void the_errors_are_those_that_the_page_shows() {
        String yaml =
                blocks("yaml").get(0).replace("operator:", "operatr:").replace("workingDir: /app", "command: run");

        assertThat(catchThrowable(() -> KubeflowTfJobs.read(yaml)))
                .hasMessage(blocks("").get(2).strip());
    }

    @Test
    void a_status_is_read_and_a_request_decided_as_the_page_shows() {
        String yaml =
                "apiVersion: kubeflow.org/v1\nkind: TFJob\nstatus: {conditions: [{type: Failed, status: 'True'}]}\n";
        ResourceStatus status = KubeflowStatuses.read(yaml);
        JobPhase phase = status.phase();
        assertThat(phase).isEqualTo(JobPhase.FAILED);

        Job job = Job.named("j").horovod().launcher().workers(2).elastic(1, 2).build();
        Instant now = Instant.EPOCH;
        List<Scaler> scalers = List.of(new Scaler("more", now, ScaleRequest.out("j", 1)));
        JobPlan plan = job.plan(Profile.ET_V1ALPHA1);
        Scaler scaler = ScaleOrder.OLDEST_FIRST.next(plan, scalers).orElseThrow();
        List<ObservedWorker> workers = List.of(
                new ObservedWorker("default", "j-worker-0", ObservedPhase.RUNNING, true),
                new ObservedWorker("default", "j-worker-1", ObservedPhase.RUNNING, true));
        ObservedScaling seen = new ObservedScaling(workers, HorovodHosts.of(plan));
        ScaleDecision decision = ScaleDecider.decide(plan, scaler, seen, now);
        assertThat(decision.next().message())
                .isEqualTo(".spec.toAdd.count would make the workers 3, which must be within elastic 1..2");
    }

    /** Only compiled; CustomResourceExecutorTest and the checks on a real cluster run similar code. */
    static void handOver(KubernetesClient client, Job job) throws InterruptedException {
        try (CustomResourceExecutor operator =
                        CustomResourceExecutor.using(client, CustomResourceKind.kubeflowTfJob());
                CustomResourceRun run = operator.submit(job)) {
            run.onEvent(event -> System.out.println(event));
            run.scale("worker", 6);
            JobStatus end = run.awaitSuccess(Duration.ofHours(2));
            System.out.println(end);
        }
    }

    @Test
    void every_line_of_Java_on_the_page_is_in_this_test() throws IOException {
        String test = Files.readString(Path.of("src/test/java/dev/edl/operators/crd/CustomResourcesPageTest.java"))
                .replaceAll("\\s", "");

        assertThat(blocks("java")).hasSize(7);
        for (String block : blocks("java")) {
            for (String line : block.replaceAll("(?m)\\s*//.*$", "").split(";\n|\\{\n|\n}\n")) {
                if (!line.contains("System.out") && !line.contains("for (") && !line.contains("mnist.yaml")) {
                    assertThat(test).contains(line.replaceAll("\\s", ""));
                }
            }
        }
    }
}
