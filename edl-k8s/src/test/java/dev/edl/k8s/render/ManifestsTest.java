package dev.edl.k8s.render;

import static dev.edl.Priority.HIGH;
import static dev.edl.Priority.LOW;

import dev.edl.Job;
import org.junit.jupiter.api.Test;

class ManifestsTest {
    /** The job of ElasticDL's tutorial on Google's cloud. */
    static Job mnist() {
        return Job.named("test-mnist")
                .runId("a1b2c3d4")
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
                .gpu(1)
                .build();
    }

    @Test
    void a_role_is_one_job_and_only_who_is_called_has_a_service() {
        Golden.assertSame("mnist.yaml", Manifests.of(mnist().plan()).toYaml());
    }
}
