package dev.edl.operators.crd.kubeflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.k8s.render.PodOptions;
import dev.edl.operators.crd.ConversionLoss;
import dev.edl.operators.crd.Golden;
import dev.edl.operators.crd.InvalidResourceException;
import dev.edl.operators.crd.JobReadResult;
import dev.edl.operators.crd.ResourceWriteResult;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.SuccessPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KubeflowTfJobsTest {
    private static final String IMAGE = "gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff";

    private static JobBuilder example() {
        return Job.named("example-job")
                .tensorflow()
                .master(master -> master.image(IMAGE))
                .workers(1, worker -> worker.image(IMAGE))
                .ps(2, ps -> ps.image(IMAGE));
    }

    private static void isReadAsWritten(Job job) {
        ResourceWriteResult result = KubeflowTfJobs.write(job);
        assertThat(result.losses()).isEmpty();
        assertThat(KubeflowTfJobs.read(result.toYaml()))
                .isEqualTo(new JobReadResult(job, PodOptions.none(), List.of()));
    }

    @Test
    void the_example_of_the_first_operator_is_written_to_the_byte() {
        ResourceWriteResult result = KubeflowTfJobs.write(example().build());

        assertThat(result.toYaml()).isEqualTo(Golden.file("kubeflow_tfjob.yaml"));
        assertThat(result.losses()).isEmpty();
    }

    @Test
    void the_example_is_read_without_a_loss() {
        assertThat(KubeflowTfJobs.read(Golden.file("kubeflow_tfjob.yaml")))
                .isEqualTo(new JobReadResult(example().build(), PodOptions.none(), List.of()));
    }

    @Test
    void a_job_with_times_ports_and_restarts_is_read_as_it_was_written() {
        isReadAsWritten(Job.named("all")
                .namespace("team-a")
                .tensorflow()
                .label("team", "vision")
                .annotation("note", "on")
                .cleanup(CleanupPolicy.ALL)
                .ttl(Duration.ofSeconds(0))
                .deadline(Duration.ofMinutes(5))
                .chief(chief -> chief.image("a:1").restart(RestartPolicy.NEVER).port(2000))
                .evaluator(evaluator -> evaluator.image("a:1").restart(RestartPolicy.ALWAYS))
                .workers(3, worker -> worker.image("a:1").exitCodes(ExitCodePolicy.KUBEFLOW))
                .build());
    }

    @Test
    void without_a_chief_all_workers_or_worker_0_end_the_job() {
        isReadAsWritten(Job.named("all")
                .tensorflow()
                .workers(2, worker -> worker.image("a:1"))
                .build());
        isReadAsWritten(Job.named("first")
                .tensorflow()
                .success(SuccessPolicy.LEADER)
                .workers(2, worker -> worker.image("a:1"))
                .build());
    }

    @Test
    void losses_of_a_TFJob_are_reported() {
        ResourceWriteResult result = KubeflowTfJobs.write(example().build().toBuilder()
                .runId("r1")
                .success(SuccessPolicy.ALL_WORKERS)
                .ttl(Duration.ofMillis(1500))
                .backoff(Duration.ofSeconds(1), Duration.ofSeconds(1))
                .workers(2)
                .elastic(1, 8)
                .relaunchLimit(3)
                .exitCodes(new ExitCodePolicy(Set.of(137), Set.of(3)))
                .build());

        assertThat(result.losses())
                .extracting(ConversionLoss::toString)
                .containsExactly(
                        "runId = r1: the operator has no run ids",
                        "success = all-workers: with a Chief or Master, its end is the job's",
                        "worker.elastic = 1..8: workers may come and go (enableDynamicWorker), without bounds",
                        "ttl = PT1.5S: there are whole seconds only; it is rounded up",
                        "backoff = Backoff[initial=PT1S, factor=2.0, max=PT1S]: the operator and the node choose the"
                                + " delays",
                        "worker.exitCodes = free=[137],fatal=[3]: the one rule for exit codes is that 1 to 127 are final"
                                + " and 128 to 255 restart",
                        "worker.relaunchLimit = 3: restarts are limited for the job as a whole, if at all");
        assertThat(result.toYaml()).contains("ttlSecondsAfterFinished: 2\n", "  enableDynamicWorker: true\n");
    }

    @Test
    void losses_of_a_job_are_reported_with_path_and_value() {
        JobReadResult result = KubeflowTfJobs.read("""
                apiVersion: kubeflow.org/v1
                kind: TFJob
                metadata:
                  name: much
                  labels: {team: vision}
                  finalizers: [example.com/x]
                spec:
                  successPolicy: AllWorkers
                  enableDynamicWorker: true
                  runPolicy:
                    backoffLimit: 3
                    suspend: true
                    schedulingPolicy: {queue: gold}
                  tfReplicaSpecs:
                    chief:
                      template:
                        metadata:
                          labels: {team: vision, tier: gold}
                          annotations: {sidecar.istio.io/inject: "false"}
                        spec:
                          restartPolicy: Always
                          nodeSelector: {disk: ssd}
                          serviceAccountName: trainer
                          initContainers: [{name: fetch, image: "f:1"}]
                          containers:
                            - name: log
                              image: "l:1"
                            - name: tensorflow
                              image: "a:1"
                              workingDir: /w
                              env:
                                - {name: A, value: "1"}
                                - {name: TF_CONFIG, value: "{}"}
                                - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                                - {name: A, value: "2"}
                              ports:
                                - {name: tfjob-port, containerPort: 2222}
                                - {name: debug, containerPort: 9000}
                              resources:
                                requests: {cpu: 1, memory: 1.5Gi, hugepages-2Mi: 4Mi}
                                limits: {memory: 1536Mi, cpu: "2", hugepages-2Mi: 4Mi}
                              volumeMounts:
                                - {name: scratch, mountPath: /tmp}
                                - {name: data, mountPath: /data}
                          volumes:
                            - {name: scratch, emptyDir: {}}
                            - {name: data, persistentVolumeClaim: {claimName: data, readOnly: true}}
                            - {name: spare, configMap: {name: c}}
                    PS:
                      replicas: 0
                      template: {spec: {containers: [{name: tensorflow, image: "a:1"}]}}
                """);

        assertThat(result.job().toYaml()).isEqualTo("""
                        name: much
                        framework: tensorflow
                        labels:
                          team: vision
                        cleanup: none
                        roles:
                          chief:
                            image: a:1
                            env:
                              A: "2"
                              TF_CONFIG: "{}"
                            requests: cpu=1,memory=1536Mi
                            limits: cpu=2
                            volumes:
                              - mountPath: /data
                                claimName: data
                                readOnly: true
                            restart: never
                        """);
        String pod = "spec.tfReplicaSpecs.chief.template.";
        assertThat(result.losses().stream().map(loss -> loss.path() + " = " + loss.value()))
                .containsExactly(
                        "metadata.finalizers = [\"example.com/x\"]",
                        "spec.runPolicy.backoffLimit = 3",
                        "spec.runPolicy.schedulingPolicy = {\"queue\":\"gold\"}",
                        "spec.runPolicy.suspend = true",
                        pod + "spec.containers[1].env[0] = {\"name\":\"A\",\"value\":\"1\"}",
                        pod + "spec.containers[1].resources.requests.hugepages-2Mi = 4Mi",
                        pod + "spec.containers[1].resources.limits.hugepages-2Mi = 4Mi",
                        pod + "spec.restartPolicy = Always",
                        "spec.tfReplicaSpecs.PS = {\"replicas\":0,\"template\":{\"spec\":{\"containers\":[{\"name\":"
                                + "\"tensorflow\",\"image\":\"a:1\"}]}}}",
                        "spec.successPolicy = AllWorkers",
                        "spec.enableDynamicWorker = true");
    }

    @Test
    void every_misspelt_key_is_an_error_that_names_the_nearest() {
        assertThatThrownBy(() -> KubeflowTfJobs.read("""
                        apiVersion: kubeflow.org/v1
                        kind: TFJob
                        metadata: {name: typos, lables: {}}
                        spec:
                          runPolicy: {cleanPodPolcy: All}
                          sucessPolicy: AllWorkers
                          tfReplicaSpecs:
                            Wroker: {}
                            Worker:
                              replica: 2
                              template:
                                spec:
                                  restartPolciy: Never
                                  containers:
                                    - {name: tensorflow, image: "a:1", comand: [x], resources: {limit: {cpu: 1}}}
                        """))
                .isInstanceOfSatisfying(
                        InvalidResourceException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        "TFJob \"typos\": metadata.lables: unknown key; did you mean \"labels\"?",
                                        "TFJob \"typos\": spec.sucessPolicy: unknown key; did you mean"
                                                + " \"successPolicy\"?",
                                        "TFJob \"typos\": spec.runPolicy.cleanPodPolcy: unknown key; did you mean"
                                                + " \"cleanPodPolicy\"?",
                                        "TFJob \"typos\": spec.tfReplicaSpecs.Wroker: unknown role; did you mean"
                                                + " \"Worker\"?",
                                        "TFJob \"typos\": spec.tfReplicaSpecs.Worker.replica: unknown key; did you mean"
                                                + " \"replicas\"?",
                                        "TFJob \"typos\": spec.tfReplicaSpecs.Worker.template.spec.restartPolciy:"
                                                + " unknown key; did you mean \"restartPolicy\"?",
                                        "TFJob \"typos\": spec.tfReplicaSpecs.Worker.template.spec.containers[0].comand:"
                                                + " unknown key; did you mean \"command\"?",
                                        "TFJob \"typos\": spec.tfReplicaSpecs.Worker.template.spec.containers[0]"
                                                + ".resources.limit: unknown key; did you mean \"limits\"?"));
    }

    @Test
    void a_resource_that_breaks_job_rules_is_rejected_with_them() {
        assertThatThrownBy(() -> KubeflowTfJobs.read("""
                        apiVersion: kubeflow.org/v1
                        kind: TFJob
                        metadata: {name: two}
                        spec:
                          tfReplicaSpecs:
                            Chief: {replicas: 2, template: {spec: {containers: [{name: tensorflow, image: "a:1"}]}}}
                        """))
                .hasMessage("TFJob \"two\" as a job: chief.replicas must be 1, was 2; a job has one chief");
    }

    @Test
    void a_container_of_another_name_is_an_error() {
        assertThatThrownBy(() -> KubeflowTfJobs.read("""
                        apiVersion: kubeflow.org/v1
                        kind: TFJob
                        metadata: {name: one}
                        spec:
                          tfReplicaSpecs:
                            Worker: {template: {spec: {containers: [{name: pytorch, image: "a:1"}]}}}
                        """))
                .hasMessage("TFJob \"one\": spec.tfReplicaSpecs.Worker.template must have a container named tensorflow,"
                        + " has \"pytorch\"");
    }
}
