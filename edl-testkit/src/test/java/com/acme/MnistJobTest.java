package com.acme;

// region: imports
import static dev.edl.testkit.EdlAssertions.*;
import static dev.edl.testkit.k8s.ManifestAssertions.*; // only for manifests
import static dev.edl.testkit.k8s.PodAssertions.*; // only for pods
import static org.assertj.core.api.Assertions.*;
// end

import dev.edl.Job;
import dev.edl.k8s.render.Manifests;
import dev.edl.k8s.render.PodTemplates;
import dev.edl.plan.Profile;
import dev.edl.status.JobPhase;
import dev.edl.testkit.EdlSoftAssertions;
import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The tests in docs/testing.md, in its order. */
class MnistJobTest {
    // region: job
    Job job = Job.named("mnist")
            .image("registry.example/acme/mnist:1")
            .tensorflow()
            .chief()
            .request("cpu=2,memory=4Gi")
            .ps(2)
            .priority("high")
            .request("cpu=2,memory=2048Mi")
            .workers(4)
            .priority("0.5") // half of the workers
            .gpu(1)
            .env("LOG", "info")
            .volume("mount_path=/data,claim_name=files")
            .build();
    // end

    // region: spec
    @Test
    void the_job_is_as_it_was_asked_for() {
        assertThat(job)
                .hasName("mnist")
                .hasRoles("chief", "ps", "worker")
                .role("ps", ps -> ps.hasReplicas(2).hasPriority("high").isNotElastic())
                .role("worker")
                .hasReplicas(4)
                .hasRequests("gpu=1")
                .hasVolume("mount_path=/data,claim_name=files");
    }
    // end

    // region: plan
    @Test
    void two_workers_are_of_high_priority() {
        assertThat(job.plan())
                .hasPriorityClasses("worker", "high", "low", "low", "high")
                .hasEndpoints("ps", "elasticdl-mnist-ps-0.default.svc:2222", "elasticdl-mnist-ps-1.default.svc:2222")
                .eachReplica("worker", worker -> worker.hasEnv("LOG", "info").hasPort(2222));
    }
    // end

    // region: tfconfig
    @Test
    void kubeflow_would_address_its_workers_so() {
        assertThat(job.plan(Profile.KUBEFLOW_V1))
                .replica("worker", 2)
                .hasName("mnist-worker-2")
                .tfConfig()
                .hasTask("worker", 2)
                .hasTaskTypes("chief", "ps", "worker")
                .hasAddress("chief", 0, "mnist-chief-0.default.svc:2222");
    }
    // end

    // region: soft
    @Test
    void all_that_is_wrong_is_told_at_once() {
        EdlSoftAssertions.assertSoftly(softly -> {
            softly.assertThat(job)
                    .hasNamespace("default")
                    .role("worker")
                    .hasReplicas(4)
                    .isNotElastic();
            softly.assertThat(job.roles()).hasSize(3);
        });
    }
    // end

    // region: golden
    @Test
    void the_plan_is_as_approved() {
        assertThat(job.plan()).matchesGolden();
    }
    // end

    // region: pod
    @Test
    void a_worker_is_a_modest_pod() {
        assertThat(PodTemplates.of(job.plan()).get("worker", 2))
                .hasImage("registry.example/acme/mnist:1")
                .hasRequest("gpu", "1")
                .hasLimit("gpu", "1")
                .hasPriorityClass("low")
                .mountsClaim("/data", "files")
                .isRestricted()
                .mountsNoServiceAccountToken()
                .doesNotUseHostNetwork();
    }
    // end

    // region: manifests
    @Test
    void its_objects_may_ask_the_cluster_nothing() {
        assertThat(Manifests.of(job.plan()))
                .has("Service", "elasticdl-mnist-ps-1")
                .doesNotHave("Secret")
                .eachPod(pod -> pod.hasRestartPolicy("Never").isRestricted())
                .grantsAtMost();
    }
    // end

    // region: behaviour
    @Test
    void a_worker_gives_way_to_a_service_and_comes_back() throws InterruptedException {
        try (SimulatedCluster cluster = SimulatedCluster.builder()
                .nodes(2, "cpu=4,memory=16Gi,gpu=2")
                .priorityClass("high", 1000)
                .priorityClass("low", 1)
                .build()) {
            SimulatedJob run = cluster.submit(job);
            cluster.deployment("web", 1, "gpu=1", "high");
            assertThat(run.status().toString()).contains("worker 3/4 running, 1 pending");

            cluster.scaleDeployment("web", 0);
            assertThat(run.status().toString()).contains("worker 4/4 running");

            run.exit("worker-0", 137, "OOMKilled");
            run.exit("chief", 0);
            assertThat(run.await(Duration.ofMinutes(1)).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
    }
    // end

    @Test
    void assertj_is_beside_it() {
        assertThat(job.roles()).hasSize(3);
    }
}
