package dev.edl.conformance.images;

import dev.edl.cli.EdlCommand;
import dev.edl.cli.elasticdl.ElasticDlProgram;
import dev.edl.conformance.Checks;
import dev.edl.conformance.Kubectl;
import dev.edl.conformance.OnCluster;
import dev.edl.image.ProgramImage;
import dev.edl.runtime.data.recordio.RecordIoWriter;
import dev.edl.runtime.data.tfrecord.TfExample;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that {@code edl train} runs the command lines of ElasticDL's two tutorials to the end in pods, and that {@code
 * edl evaluate} and {@code edl predict} use the result in pods. Their registry, image, amounts and output are the
 * cluster's; every other flag is the tutorials'.
 */
@OnCluster(value = "--nodes 3", alone = true)
class ElasticDlTrains {
    private static final int RECORDS = 512;
    private static final int TEST_RECORDS = 64;

    /** Flags that both tutorials have. */
    private static final String BOTH = """
            --model_zoo=model_zoo
            --model_def=mnist_functional_api.mnist_functional_api.custom_model
            --training_data=/data/mnist/train
            --validation_data=/data/mnist/test
            --num_epochs=5
            --master_resource_request=SIZE
            --master_resource_limit=SIZE
            --master_pod_priority=high
            --worker_resource_request=SIZE
            --worker_resource_limit=SIZE
            --worker_pod_priority=low
            --ps_resource_request=SIZE
            --ps_resource_limit=SIZE
            --ps_pod_priority=high
            --minibatch_size=64
            --num_minibatches_per_task=64
            --num_ps_pods=2
            --num_workers=4
            --evaluation_steps=200
            --grads_to_wait=1
            --job_name=test-mnist
            --log_level=INFO
            --image_pull_policy=Always
            --volume=mount_path=/data,claim_name=fileserver-claim
            --distribution_strategy=ParameterServerStrategy
            """;

    @Test
    void both_tutorials_train_to_the_end_and_their_model_is_used() throws Exception {
        Path folder = Files.createTempDirectory("edl-elasticdl-");
        Path data = Files.createDirectories(folder.resolve("data"));
        try (Registry registry = new Registry(Files.createDirectories(folder.resolve("registry")), "");
                KubernetesClient client = new KubernetesClientBuilder().build()) {
            images(data.resolve("mnist/train"), RECORDS, 3);
            images(data.resolve("mnist/test"), TEST_RECORDS, 4);
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
            Checks.volume(data, "default", "fileserver");
            Kubectl.run("create", "priorityclass", "high", "--value=1000000");
            Kubectl.run("create", "priorityclass", "low", "--value=1000");
            String flags = BOTH.replace("SIZE", Checks.size(client, "1024Mi"));

            trains(
                    client,
                    flags,
                    "--image_base=elasticdl:ci",
                    "--docker_image_repository=" + registry.host() + "/acme");
            System.out.println("kubernetes: the tutorial of March 2020 pushed its image and trained in pods");

            String image = registry.host() + "/acme/elasticdl:mnist";
            ProgramImage.builder(ElasticDlProgram.class)
                    .allowInsecureRegistry()
                    .build()
                    .push(image);
            trains(client, flags, "--image_name=" + image, "--output=/data/out");
            System.out.println("kubernetes: the tutorial of July 2020 trained in pods of an image");

            String size = Checks.size(client, "1024Mi");
            String evaluated = inPods("evaluate", image, size, "--validation_data=/data/mnist/test");
            Checks.check(evaluated.contains("accuracy="), "the metrics must be printed, was " + evaluated);
            inPods("predict", image, size, "--prediction_data=/data/mnist/test", "--output=/data/predicted");
            Path predictions = data.resolve("predicted/predictions.csv");
            Checks.check(
                    Files.readAllLines(predictions).size() == TEST_RECORDS + 1,
                    predictions + " must have a line for each record");
            System.out.println("kubernetes: the model of the pods was evaluated and predicted in pods");
        }
    }

    private static void trains(KubernetesClient client, String both, String... first) {
        List<String> args = new ArrayList<>(List.of("train"));
        args.addAll(List.of(first));
        args.addAll(both.lines().toList());
        Map<String, Pod> pods = new ConcurrentHashMap<>();
        String out;
        try (SharedIndexInformer<Pod> watch = client.pods()
                .inNamespace("default")
                .withLabel("elasticdl-replica-type")
                .inform(kept(pods))) {
            out = run(args);
        }
        Checks.check(
                out.contains("each of " + RECORDS + " records applied exactly once in each of 5 epochs"),
                "the proof must be printed, was " + out);
        Checks.check(
                Stream.of("master", "ps-0", "ps-1", "worker-0", "worker-1", "worker-2", "worker-3")
                        .allMatch(pod -> pods.containsKey("elasticdl-test-mnist-" + pod)),
                "a master, 2 servers and 4 workers were to run, there were " + pods.keySet());
        pods.values().forEach(pod -> asked(pod, Checks.size(client, "1024Mi")));
        System.out.println(
                "kubernetes: " + pods.size() + " pods had the flags' pull policy, priority, sizes and volume");
    }

    private static ResourceEventHandler<Pod> kept(Map<String, Pod> pods) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(Pod pod) {
                pods.put(pod.getMetadata().getName(), pod);
            }

            @Override
            public void onUpdate(Pod old, Pod pod) {
                onAdd(pod);
            }

            @Override
            public void onDelete(Pod pod, boolean unknown) {}
        };
    }

    /** Checks that a pod has what the flags of its role ask for. */
    private static void asked(Pod pod, String size) {
        boolean worker = "worker".equals(pod.getMetadata().getLabels().get("elasticdl-replica-type"));
        Map<String, Quantity> amounts = Stream.of(size.split(","))
                .map(amount -> amount.split("="))
                .collect(Collectors.toMap(amount -> amount[0], amount -> new Quantity(amount[1])));
        PodSpec spec = pod.getSpec();
        Container container = spec.getContainers().get(0);
        List<Object> wanted =
                List.of("Always", worker ? "low" : "high", amounts, amounts, List.of("fileserver-claim at /data"));
        List<Object> found = List.of(
                container.getImagePullPolicy(),
                spec.getPriorityClassName(),
                container.getResources().getRequests(),
                container.getResources().getLimits(),
                spec.getVolumes().stream()
                        .filter(volume -> volume.getPersistentVolumeClaim() != null)
                        .flatMap(volume -> container.getVolumeMounts().stream()
                                .filter(mount -> mount.getName().equals(volume.getName()))
                                .map(mount -> volume.getPersistentVolumeClaim().getClaimName() + " at "
                                        + mount.getMountPath()))
                        .toList());
        Checks.check(
                found.equals(wanted), pod.getMetadata().getName() + " was to have " + wanted + ", and has " + found);
    }

    private static String inPods(String verb, String image, String size, String... flags) {
        List<String> args = new ArrayList<>(List.of(verb, "--image_name=" + image));
        args.addAll(List.of(flags));
        args.addAll(List.of(
                "--model_zoo=model_zoo",
                "--model_def=mnist_functional_api.mnist_functional_api.custom_model",
                "--checkpoint_dir_for_init=/data/out/model.npz",
                "--master_resource_request=" + size,
                "--worker_resource_request=" + size,
                "--minibatch_size=8",
                "--num_minibatches_per_task=2",
                "--num_workers=2",
                "--job_name=test-mnist",
                "--volume=mount_path=/data,claim_name=fileserver-claim"));
        String out = run(args);
        Checks.check(
                out.contains(
                        "each of " + TEST_RECORDS + " records " + verb.replaceFirst("e?$", "ed") + " exactly once"),
                "the proof must be printed, was " + out);
        return out;
    }

    /** Runs a command to its end, prints its output, and deletes its job; returns what it printed as its result. */
    private static String run(List<String> args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();

        int code = EdlCommand.run(new PrintWriter(out, true), new PrintWriter(err, true), args.toArray(String[]::new));

        System.out.println("  " + (out + "" + err).strip().replace("\n", "\n  "));
        Checks.check(code == 0, "the command must end with 0, was " + code + ": " + out + err);
        Kubectl.run("delete", "configmap", "edl-job-test-mnist");
        Checks.soon(
                "no pod is left",
                () -> Kubectl.run("get", "pods"),
                () -> Kubectl.run("get", "pods", "-o", "name").isBlank());
        return out.toString();
    }

    /** Writes images in which a bright square stands at one of ten places. */
    private static void images(Path folder, int records, long seed) throws IOException {
        Random random = new Random(seed);
        try (RecordIoWriter file =
                RecordIoWriter.create(Files.createDirectories(folder).resolve("data-00000"))) {
            for (int i = 0; i < records; i++) {
                int label = random.nextInt(10);
                float[] image = new float[28 * 28];
                for (int p = 0; p < image.length; p++) {
                    image[p] = random.nextInt(60);
                }
                for (int p = 0; p < 64; p++) {
                    image[(label / 4 * 9 + p / 8) * 28 + label % 4 * 7 + p % 8 % 7] += 190;
                }
                file.write(TfExample.builder()
                        .floats("image", image)
                        .int64s("label", label)
                        .build()
                        .toBytes());
            }
        }
    }
}
