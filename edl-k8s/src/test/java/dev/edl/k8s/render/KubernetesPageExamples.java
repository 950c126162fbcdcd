package dev.edl.k8s.render;

import static dev.edl.Priority.HIGH;
import static dev.edl.Priority.LOW;

import dev.edl.Job;
import dev.edl.Volume;
import dev.edl.plan.Profile;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
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
        return List.of(pod, yaml, services, all);
    }

    static List<Manifests> others() {
        // region: tfjob
        Job example = Job.named("example-job")
                .tensorflow()
                .runId("76no")
                .master()
                .image("gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff")
                .workers(1)
                .image("gcr.io/tf-on-k8s-dogfood/tf_sample:dc944ff")
                .ps(2)
                .build();
        Manifests tfJob = Manifests.of(example.plan(Profile.TFJOB_V1ALPHA1));
        // end
        // region: accelerators
        PodOptions gpu = PodOptions.builder()
                .acceleratorConfig(AcceleratorConfig.none()
                        .volume("alpha.kubernetes.io/nvidia-gpu", "nvidia-libs", "/usr/lib/nvidia", "/usr/local/nvidia")
                        .env("alpha.kubernetes.io/nvidia-gpu", "LD_LIBRARY_PATH", "/usr/local/nvidia/lib64"))
                .role("master", m -> m.accelerator(Accelerator.of("alpha.kubernetes.io/nvidia-gpu", 1)))
                .tensorBoard(TensorBoard.of("gs://my-bucket/logdir"))
                .build();
        // end
        // region: mxjob
        Manifests mxJob = Manifests.of(Job.named("example-dist-job")
                .mxnet()
                .runId("1kkf")
                .image("mxjob/mxnet:gpu")
                .command("python", "train_cifar10.py")
                .scheduler()
                .servers(2)
                .workers(3)
                .build()
                .plan(Profile.MXJOB_V1BETA1));
        // end
        // region: trainingjob
        Manifests trainingJob = Manifests.of(Job.named("elastic-training")
                .horovod()
                .image("registry.example/elastic-horovod:1")
                .launcher()
                .command(
                        "sh",
                        "-c",
                        "horovodrun -np 2 --host-discovery-script /etc/edl/discover_hosts.sh python train.py")
                .workers(2)
                .elastic(1, 9)
                .gpu(1)
                .build()
                .plan(Profile.ET_V1ALPHA1));
        // end
        return List.of(tfJob, mxJob, trainingJob, Manifests.of(example.plan(Profile.TFJOB_V1ALPHA1), gpu));
    }
}
