package dev.edl.conformance.operators;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.conformance.Checks;
import dev.edl.conformance.OnCluster;
import dev.edl.conformance.preflight.PreflightCase;
import dev.edl.k8s.KubernetesExecutor;
import dev.edl.k8s.KubernetesRun;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import dev.edl.spec.Volume;
import dev.edl.status.JobPhase;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Checks the TfJob operator's other features, for a job of its profile that {@link KubernetesExecutor} runs:
 * TensorBoard with its address, devices by the operator's own ConfigMap, and default parameter servers. Busybox scripts
 * replace TensorBoard and Python.
 */
@OnCluster("--nodes 3")
class TfJobExtras {
    private static final String NAMESPACE = "edl-tfjob";
    private static final String LOGS = "/tmp/edl-tfjob-logs";

    private final KubernetesClient client;

    private TfJobExtras(KubernetesClient client) {
        this.client = client;
    }

    @Test
    void a_tfjob_has_its_tensorboard_and_devices() throws Exception {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            new TfJobExtras(client).check();
        }
    }

    private void check() throws Exception {
        Checks.namespace(client, NAMESPACE, false);
        programs();
        device();
        TfJobOperatorConfig config = TfJobOperatorConfig.of(client.configMaps()
                .inNamespace(NAMESPACE)
                .withName("tf-job-operator-config")
                .get());
        JobPlan plan = job().plan(Profile.TFJOB_V1ALPHA1);
        try (KubernetesExecutor executor = KubernetesExecutor.using(client, options(config))) {
            KubernetesRun run = executor.submit(plan);
            Checks.until(
                    "master, parameter server and worker run",
                    () -> run,
                    () -> run.status().replicas().size() == 3
                            && run.status().replicas().stream()
                                    .allMatch(r -> r.status().equals("Running")));
            board(run, plan);
            devices(plan);
            parameterServer(plan);
            client.pods()
                    .inNamespace(NAMESPACE)
                    .withName(pod(plan, "master"))
                    .writingOutput(System.out)
                    .exec("touch", "/tmp/go")
                    .close();
            Checks.check(run.await(Checks.LIMIT).phase() == JobPhase.SUCCEEDED, "the job was to succeed\n" + run);
            Checks.until(
                    "the job's time to live takes its TensorBoard, too",
                    () -> client.apps()
                            .deployments()
                            .inNamespace(NAMESPACE)
                            .list()
                            .getItems(),
                    () -> client.apps()
                                    .deployments()
                                    .inNamespace(NAMESPACE)
                                    .list()
                                    .getItems()
                                    .isEmpty()
                            && client.services()
                                    .inNamespace(NAMESPACE)
                                    .list()
                                    .getItems()
                                    .isEmpty()
                            && client.pods()
                                    .inNamespace(NAMESPACE)
                                    .list()
                                    .getItems()
                                    .isEmpty());
            System.out.println("kubernetes: the job's time to live was over, and TensorBoard went with it");
        }
        client.namespaces().withName(NAMESPACE).delete();
    }

    private static Job job() {
        JobBuilder job = Job.named("mnist")
                .namespace(NAMESPACE)
                .tensorflow()
                .ttl(Duration.ofSeconds(1))
                .master()
                .image("edl.local/busybox:1")
                .command("sh", "-c", "echo loss=0.5 > /logs/events; while [ ! -e /tmp/go ]; do sleep 0.1; done")
                .volume(Volume.hostPath(LOGS, "/logs").type("DirectoryOrCreate"))
                .ps(1)
                .workers(1)
                .image("edl.local/busybox:1")
                .command("sh", "-c", "sleep 1000")
                .request("edl.dev/gpu=1");
        return job.build();
    }

    private static PodOptions options(TfJobOperatorConfig config) {
        return PodOptions.builder()
                .controllerConfig(config)
                .pod(pod -> pod.edit()
                        .editSpec()
                        .withTerminationGracePeriodSeconds(1L)
                        .endSpec()
                        .build())
                .role("ps", ps -> ps.volume(program("python"), "/usr/local/bin", true))
                .tensorBoard(TensorBoard.of("/logs")
                        .serviceType("NodePort")
                        .volume(Volume.hostPath(LOGS, "/logs"))
                        .volume(program("tensorboard"), "/usr/local/bin"))
                .build();
    }

    /** Creates scripts with the names in the pods' commands. */
    private void programs() {
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("programs")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .addToData("tensorboard", "#!/bin/sh\nexec httpd -f -p 6006 -h \"$2\"\n")
                        .addToData("python", "#!/bin/sh\ntest -s \"$1\" && echo \"python $*\"\nexec sleep 1000\n")
                        .build())
                .create();
        client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("tf-job-operator-config")
                        .withNamespace(NAMESPACE)
                        .endMetadata()
                        .addToData("controller_config_file.yaml", """
                                grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
                                tfImage: edl.local/busybox:1
                                accelerators:
                                  edl.dev/gpu:
                                    volumes:
                                      - name: driver
                                        mountPath: /usr/local/nvidia
                                        hostPath: /etc
                                    envVars:
                                      - name: LD_LIBRARY_PATH
                                        value: /usr/local/nvidia
                                """)
                        .build())
                .create();
    }

    private static io.fabric8.kubernetes.api.model.Volume program(String name) {
        return new VolumeBuilder()
                .withName("programs")
                .withNewConfigMap()
                .withName("programs")
                .withDefaultMode(0755)
                .addNewItem()
                .withKey(name)
                .withPath(name)
                .endItem()
                .endConfigMap()
                .build();
    }

    /** Gives one node devices, as a device plugin would. */
    private void device() {
        PreflightCase.shell("kubectl patch node node-2 --subresource=status --type=json --patch"
                + " '[{\"op\":\"add\",\"path\":\"/status/capacity/edl.dev~1gpu\",\"value\":\"2\"},"
                + "{\"op\":\"add\",\"path\":\"/status/allocatable/edl.dev~1gpu\",\"value\":\"2\"}]'");
    }

    private void board(KubernetesRun run, JobPlan plan) throws Exception {
        String name = "mnist-tensorboard-" + plan.runId();
        URI address = run.tensorBoard().orElseThrow();
        Checks.check(
                address.getPath().equals("/api/v1/namespaces/" + NAMESPACE + "/services/" + name + ":80/proxy/"),
                "the address was " + address);
        Checks.until(
                "TensorBoard gives what the master wrote",
                () -> page(address),
                () -> page(address).equals("200 loss=0.5"));
        Service service =
                client.services().inNamespace(NAMESPACE).withName(name).get();
        Checks.check(
                service.getSpec().getType().equals("NodePort")
                        && service.getSpec().getPorts().get(0).getNodePort() > 0,
                "the Service was to be of type NodePort, was " + service.getSpec());
        System.out.println("kubernetes: TensorBoard answers at " + address.getPath()
                + ", by the API server's proxy, and its Service has a port of the nodes");
    }

    private String page(URI address) {
        try {
            HttpResponse<String> response = client.getHttpClient()
                    .sendAsync(
                            client.getHttpClient()
                                    .newHttpRequestBuilder()
                                    .uri(address.resolve("events"))
                                    .build(),
                            String.class)
                    .get(20, TimeUnit.SECONDS);
            return response.code() + " " + response.body().strip();
        } catch (Exception e) {
            return e.toString();
        }
    }

    private void devices(JobPlan plan) {
        Pod worker = client.pods()
                .inNamespace(NAMESPACE)
                .withName(pod(plan, "worker"))
                .get();
        Pod master = client.pods()
                .inNamespace(NAMESPACE)
                .withName(pod(plan, "master"))
                .get();
        Checks.check(
                worker.getSpec().getNodeName().equals("node-2"),
                "the worker was to run on node-2, ran on " + worker.getSpec().getNodeName());
        Checks.check(
                worker.getSpec().getContainers().get(0).getEnv().stream()
                                .anyMatch(e -> e.getName().equals("LD_LIBRARY_PATH")
                                        && e.getValue().equals("/usr/local/nvidia"))
                        && worker.getSpec().getVolumes().stream()
                                .anyMatch(v -> v.getName().equals("driver"))
                        && master.getSpec().getVolumes().stream()
                                .noneMatch(v -> v.getName().equals("driver")),
                "the worker alone was to have what the ConfigMap says of its device");
        System.out.println(
                "kubernetes: by the operator's ConfigMap a worker with a device has its driver's path and variable");
    }

    private void parameterServer(JobPlan plan) {
        String name = pod(plan, "ps");
        String image = client.pods()
                .inNamespace(NAMESPACE)
                .withName(name)
                .get()
                .getSpec()
                .getContainers()
                .get(0)
                .getImage();
        Checks.check(
                image.equals("edl.local/busybox:1"),
                "the default parameter server's image was to be the ConfigMap's, was " + image);
        String expected = "python /ps-server/grpc_tensorflow_server.py --cluster_spec master|" + host(plan, "master")
                + ",ps|" + host(plan, "ps") + ",worker|" + host(plan, "worker") + " --job_name ps --task_id 0";
        Checks.soon(
                "the default parameter server has its program and its arguments, " + expected,
                () -> client.pods().inNamespace(NAMESPACE).withName(name).getLog(),
                () -> client.pods()
                        .inNamespace(NAMESPACE)
                        .withName(name)
                        .getLog()
                        .strip()
                        .equals(expected));
        System.out.println("kubernetes: a default parameter server runs the program of its own ConfigMap with "
                + expected.substring(expected.indexOf("--")));
    }

    private static String host(JobPlan plan, String role) {
        return "mnist-" + role + "-" + plan.runId() + "-0:2222";
    }

    private static String pod(JobPlan plan, String role) {
        return plan.replica(role, 0).name();
    }
}
