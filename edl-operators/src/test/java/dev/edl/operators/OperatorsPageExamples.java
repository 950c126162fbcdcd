package dev.edl.operators;

import static dev.edl.spec.Priority.HIGH;
import static dev.edl.spec.Priority.LOW;

import dev.edl.Job;
import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.k8s.render.Accelerator;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodOptions;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.k8s.render.TensorBoard;
import dev.edl.k8s.render.TfJobOperatorConfig;
import dev.edl.k8s.render.Workload;
import dev.edl.k8s.render.internal.ManifestYaml;
import dev.edl.operators.crd.et.ScaleRequest;
import dev.edl.operators.crd.et.ScaleRequests;
import dev.edl.plan.JobPlan;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;

/** The Java of docs/operators.md, and what the page shows of each, in its order. */
final class OperatorsPageExamples {
    private OperatorsPageExamples() {}

    static Job mnist() {
        // region: gke
        Job mnist = Job.named("test-mnist")
                .image("gcr.io/acme/elasticdl:mnist")
                .request("cpu=2,memory=2048Mi")
                .limit("cpu=2,memory=2048Mi")
                .volume("mount_path=/data,claim_name=fileserver-claim")
                .master()
                .priority(HIGH)
                .ps(2)
                .priority(HIGH)
                .workers(4)
                .priority(LOW)
                .build();
        // end
        return mnist;
    }

    static List<String> elasticDl() {
        Job mnist = mnist();
        // region: gke-objects
        PodOptions classes = PodOptions.builder()
                .priorityClass("high", 1_000_000)
                .priorityClass("low", 1000)
                .imagePullPolicy("Always")
                .build();
        Manifests gke = Manifests.of(mnist.plan(), classes, Workload.PODS);
        // end
        return List.of(gke.toString(), container(PodTemplates.of(mnist.plan(), classes), "worker", 0));
    }

    static Job command() {
        // region: command
        ElasticDlCommand command =
                ElasticDlCommand.parse(ElasticDlVersion.JULY_2020, """
                elasticdl train --image_name=gcr.io/${PROJECT_ID}/elasticdl:mnist --model_zoo=model_zoo \
                  --model_def=mnist_functional_api.mnist_functional_api.custom_model \
                  --training_data=/data/mnist/train --validation_data=/data/mnist/test --num_epochs=5 \
                  --master_resource_request="cpu=2,memory=2048Mi" --master_resource_limit="cpu=2,memory=2048Mi" \
                  --master_pod_priority=high \
                  --worker_resource_request="cpu=2,memory=2048Mi" --worker_resource_limit="cpu=2,memory=2048Mi" \
                  --worker_pod_priority=low \
                  --ps_resource_request="cpu=2,memory=2048Mi" --ps_resource_limit="cpu=2,memory=2048Mi" \
                  --ps_pod_priority=high \
                  --minibatch_size=64 --num_minibatches_per_task=64 --num_ps_pods=2 --num_workers=4 \
                  --evaluation_steps=200 --grads_to_wait=1 --job_name=test-mnist --log_level=INFO \
                  --image_pull_policy=Always --volume="mount_path=/data,claim_name=fileserver-claim" \
                  --distribution_strategy=ParameterServerStrategy""", Map.of("PROJECT_ID", "acme"));
        Job read = command.job();
        // end
        return read;
    }

    static List<String> tfJob() {
        // region: tf_job
        JobPlan example = Job.named("example-job")
                .tensorflow()
                .runId("76no")
                .master()
                .image("gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff")
                .workers(1)
                .image("gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff")
                .ps(2)
                .build()
                .plan(Profile.TFJOB_V1ALPHA1);
        Manifests tfJob = Manifests.of(example);
        // end
        return List.of(tfJob.toString(), container(PodTemplates.of(example), "ps", 1));
    }

    static List<String> gpu() {
        // region: gpu
        TfJobOperatorConfig config = TfJobOperatorConfig.parse("""
                apiVersion: v1
                kind: ConfigMap
                metadata:
                  name: tf-job-operator-config
                data:
                  controller_config_file.yaml: |
                    grpcServerFilePath: /opt/mlkube/grpc_tensorflow_server/grpc_tensorflow_server.py
                    accelerators:
                      alpha.kubernetes.io/nvidia-gpu:
                        volumes:
                          - name: nvidia-libs
                            mountPath: /usr/local/nvidia/lib64
                            hostPath: /usr/lib/nvidia
                        envVars:
                          - name: LD_LIBRARY_PATH
                            value: /usr/local/nvidia/lib64
                """);
        JobPlan smoke = Job.named("tf-smoke-gpu")
                .tensorflow()
                .runId("9xq2")
                .image("gcr.io/tf-on-k8s-dogfood/tf_sample_gpu:latest")
                .args("--log_dir=gs://my-bucket/logdir")
                .master()
                .build()
                .plan(Profile.TFJOB_V1ALPHA1);
        PodOptions devices = PodOptions.builder()
                .controllerConfig(config)
                .accelerator(Accelerator.of("alpha.kubernetes.io/nvidia-gpu", 1))
                .tensorBoard(TensorBoard.of("gs://my-bucket/logdir"))
                .build();
        Manifests withDevices = Manifests.of(smoke, devices);
        // end
        // region: azure
        TensorBoard azure = TensorBoard.of("/tmp/tensorflow")
                .serviceType("LoadBalancer")
                .volume(
                        new VolumeBuilder()
                                .withName("azurefile")
                                .withNewAzureFile(false, "azure-secret", "data")
                                .build(),
                        "/tmp/tensorflow");
        // end
        return List.of(
                withDevices.toString(),
                container(PodTemplates.of(smoke, devices), "master", 0),
                yaml(Manifests.of(smoke, devices.toBuilder().tensorBoard(azure).build()).objects().stream()
                        .filter(Deployment.class::isInstance)
                        .map(Deployment.class::cast)
                        .findFirst()
                        .orElseThrow()
                        .getSpec()
                        .getTemplate()
                        .getSpec()));
    }

    static List<String> mxJob() {
        // region: mx_job_dist
        JobPlan dist = Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .image("mxjob/mxnet-gpu-dist:0.12.0")
                .command("python", "train_cifar10.py")
                .scheduler()
                .servers(2)
                .workers(3)
                .args("--kv-store=dist_device_sync")
                .gpu("nvidia.com/gpu", 1)
                .build()
                .plan(Profile.MXJOB_V1BETA1);
        Manifests mxJob = Manifests.of(dist);
        // end
        return List.of(mxJob.toString(), container(PodTemplates.of(dist), "worker", 2));
    }

    static List<String> trainingJob() {
        // region: training_job
        JobPlan elastic = Job.named("elastic-training")
                .horovod()
                .image("registry.example/elastic-horovod:1")
                .launcher()
                .command(
                        "sh",
                        "-c",
                        "horovodrun -np 2 --min-np 1 --max-np 9 --host-discovery-script /etc/edl/discover_hosts.sh"
                                + " python /examples/elastic/tensorflow2_mnist_elastic.py")
                .workers(2)
                .elastic(1, 9)
                .gpu(1)
                .build()
                .plan(Profile.ET_V1ALPHA1);
        Manifests trainingJob = Manifests.of(elastic);
        // end
        // region: scale
        String scaleIn =
                ScaleRequests.write(ScaleRequest.in("elastic-training", 1)).toYaml();
        String named = ScaleRequests.write(
                        ScaleRequest.in("elastic-training", List.of("elastic-training-worker-1")), "scalein-by-name")
                .toYaml();
        String scaleOut =
                ScaleRequests.write(ScaleRequest.out("elastic-training", 2)).toYaml();
        // end
        return List.of(
                trainingJob.toString(),
                trainingJob.objects(ConfigMap.class).get(0).getData().get("hostfile"),
                scaleIn,
                named,
                scaleOut);
    }

    private static String container(PodTemplates pods, String role, int index) {
        return yaml(pods.get(role, index).getSpec().getContainers().get(0));
    }

    private static String yaml(Object part) {
        return ManifestYaml.one(part).replaceFirst("---\n", "");
    }
}
