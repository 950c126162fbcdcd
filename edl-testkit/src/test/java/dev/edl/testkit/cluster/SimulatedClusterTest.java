package dev.edl.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.exec.AwaitTimeoutException;
import dev.edl.exec.JobStatus;
import dev.edl.spec.Backoff;
import dev.edl.spec.Priority;
import dev.edl.status.JobEvent;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatedClusterTest {
    /** ElasticDL's tutorial: 2 parameter servers and 4 workers, on a node with room for four pods. */
    private static JobBuilder mnist() {
        return Job.named("test-mnist")
                .image("mnist:1")
                .master()
                .priority(Priority.HIGH)
                .request("cpu=500m")
                .ps(2)
                .priority(Priority.HIGH)
                .request("cpu=500m")
                .workers(4)
                .priority(Priority.LOW)
                .request("cpu=1")
                .elastic(1, 8);
    }

    private static SimulatedCluster.Builder cluster() {
        return SimulatedCluster.builder()
                .nodes(2, "cpu=4,memory=16Gi")
                .priorityClass("high", 1000)
                .priorityClass("low", 1);
    }

    private static List<String> there(JobStatus status) {
        return status.replicas().stream()
                .map(replica -> replica.role().replica(replica.id()) + " " + replica.status())
                .toList();
    }

    @Test
    void a_deleted_worker_is_replaced_under_the_next_id() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            job.delete("worker-0");

            assertThat(there(job.status()))
                    .containsExactly(
                            "master Running",
                            "ps-0 Running",
                            "ps-1 Running",
                            "worker-1 Running",
                            "worker-2 Running",
                            "worker-3 Running",
                            "worker-4 Running");
            assertThat(job.events()).extracting(JobEvent::type).contains(JobEvent.Type.RELAUNCHED);
        }
    }

    @Test
    void no_replica_can_be_connected_to() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());

            assertThatThrownBy(() -> job.connect("master", 50001))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("job \"test-mnist\": replica \"master\" cannot be connected to: SimulatedJob opens no"
                            + " channels to ports; LocalExecutor, KubernetesExecutor and"
                            + " CustomResourceExecutor do");
        }
    }

    @Test
    void a_worker_with_a_temporary_exit_code_relaunches_after_a_growing_delay() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            job.exit("worker-0", 75);
            assertThat(job.whyPending("worker-4"))
                    .hasValue("waits 1s more before its relaunch, as its predecessor requested a retry");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(there(job.status())).contains("worker-4 Running");

            job.exit("worker-4", 75);
            assertThat(job.events())
                    .extracting(JobEvent::message)
                    .endsWith("worker elasticdl-test-mnist-worker-4 requested a retry (exit code 75);"
                            + " elasticdl-test-mnist-worker-5 starts in 2s");
            cluster.advance(Duration.ofMillis(1_999));
            assertThat(there(job.status())).doesNotContain("worker-5 Running");
            cluster.advance(Duration.ofMillis(1));
            assertThat(there(job.status())).contains("worker-5 Running");
        }
    }

    @Test
    void workers_are_preempted_by_a_service_and_return_later() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            cluster.deployment("web", 5, "cpu=1", "high");

            assertThat(cluster.running("web")).isEqualTo(5);
            assertThat(there(job.status()))
                    .containsExactly(
                            "master Running",
                            "ps-0 Running",
                            "ps-1 Running",
                            "worker-0 Running",
                            "worker-4 Pending",
                            "worker-5 Pending",
                            "worker-6 Pending");
            assertThat(job.events())
                    .extracting(JobEvent::message)
                    .anyMatch(text -> text.contains("0/2 nodes are available: 2 Insufficient cpu."));

            cluster.scaleDeployment("web", 1);
            assertThat(there(job.status()))
                    .filteredOn(row -> row.endsWith("Running"))
                    .hasSize(7);
        }
    }

    @Test
    void pods_start_after_a_delay_and_time_moves_only_when_advanced() {
        try (SimulatedCluster cluster = cluster()
                .startsAfter(Duration.ofSeconds(5))
                .leavesAfter(Duration.ofSeconds(30))
                .build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            assertThat(job.status().phase()).isEqualTo(JobPhase.PENDING);
            cluster.advance(Duration.ofSeconds(5));
            assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);

            job.delete("worker-3");
            assertThat(there(job.status())).contains("worker-3 Terminating", "worker-4 Pending");
            cluster.advance(Duration.ofSeconds(30));
            assertThat(there(job.status())).contains("worker-4 Running").doesNotContain("worker-3 Terminating");
            assertThat(job.status().replicas())
                    .allMatch(replica -> replica.age().toSeconds() >= 30);
        }
    }

    @Test
    void the_job_ends_as_its_master_does() throws InterruptedException {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            assertThatThrownBy(() -> job.await(Duration.ofMinutes(10)))
                    .isInstanceOf(AwaitTimeoutException.class)
                    .hasMessageContaining("has not ended within 10m");
            assertThat(cluster.now()).isEqualTo("2026-01-01T00:10:00Z");
            job.exit("master", 0);

            assertThat(job.await(Duration.ofMinutes(1)).phase()).isEqualTo(JobPhase.SUCCEEDED);
        }
    }

    @Test
    void a_relaunch_waits_for_its_backoff() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job =
                    cluster.submit(mnist().backoff(Backoff.doubling(Duration.ofSeconds(10), Duration.ofMinutes(6)))
                            .build());
            job.exit("worker-1", 137, "OOMKilled");
            assertThat(there(job.status())).doesNotContain("worker-4 Running");
            cluster.advance(Duration.ofSeconds(10));

            assertThat(there(job.status())).contains("worker-4 Running");
            assertThat(job.events()).extracting(JobEvent::message).anyMatch(text -> text.contains("OOMKilled"));
        }
    }

    @Test
    void the_pods_of_a_lost_node_are_replaced_on_other_nodes() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            cluster.removeNode("node-1");

            assertThat(job.status().replicas())
                    .filteredOn(r -> r.status().equals("Running"))
                    .isNotEmpty();
            assertThat(job.status().replicas())
                    .filteredOn(r -> r.status().equals("Running"))
                    .allMatch(r -> job.node(r.name()).orElseThrow().equals("node-2"));
            cluster.addNode("node-3", "cpu=4,memory=16Gi");
            assertThat(there(job.status()))
                    .filteredOn(row -> row.endsWith("Running"))
                    .hasSize(7);
        }
    }

    @Test
    void workers_leave_a_cordoned_node_for_where_there_is_room() {
        try (SimulatedCluster cluster =
                cluster().node("node-3", "cpu=4,memory=16Gi").build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            String node = job.node("worker-0").orElseThrow();
            cluster.cordon(node);

            assertThat(there(job.status()))
                    .filteredOn(row -> row.endsWith("Running"))
                    .hasSize(7);
            assertThat(job.status().replicas())
                    .filteredOn(r -> r.role().id().equals("worker"))
                    .noneMatch(r -> job.node(r.name()).orElseThrow().equals(node));
            assertThat(job.events())
                    .extracting(JobEvent::message)
                    .contains(node
                            + " is about to go (cordoned): elasticdl-test-mnist-worker-0 is deleted, and another worker"
                            + " takes its place");
            cluster.uncordon(node);
            job.scale("worker", 8);
            assertThat(there(job.status()))
                    .filteredOn(row -> row.endsWith("Running"))
                    .hasSize(11);
        }
    }

    @Test
    void scale_suspend_resume_and_cancel_have_happened_when_they_return() {
        try (SimulatedCluster cluster = cluster().build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            job.scale("worker", 6);
            assertThat(there(job.status()))
                    .filteredOn(row -> row.startsWith("worker"))
                    .hasSize(6);
            job.suspend();
            assertThat(job.status().phase()).isEqualTo(JobPhase.SUSPENDED);
            assertThat(job.status().replicas()).isEmpty();
            job.resume();
            assertThat(job.status().phase()).isEqualTo(JobPhase.RUNNING);
            job.cancel();
            assertThat(job.status().phase()).isEqualTo(JobPhase.CANCELLED);
        }
    }

    @Test
    void the_same_calls_give_the_same_events() {
        List<String> first = story();

        assertThat(story()).isEqualTo(first);
    }

    private static List<String> story() {
        try (SimulatedCluster cluster =
                cluster().startsAfter(Duration.ofSeconds(1)).build()) {
            SimulatedJob job = cluster.submit(mnist().build());
            cluster.advance(Duration.ofSeconds(2));
            cluster.deployment("web", 4, "cpu=1", "high");
            job.delete("ps-0");
            cluster.advance(Duration.ofMinutes(1));
            cluster.scaleDeployment("web", 0);
            cluster.advance(Duration.ofMinutes(1));
            return job.events().stream().map(JobEvent::toString).toList();
        }
    }

    @Test
    void a_timeline_has_every_pod_that_ever_had_a_node() {
        try (SimulatedCluster cluster = SimulatedCluster.builder()
                .nodes(1, "cpu=2")
                .priorityClass("high", 1000)
                .leavesAfter(Duration.ofSeconds(3))
                .build()) {
            SimulatedJob job = cluster.submit(Job.named("small")
                    .image("a")
                    .pytorch()
                    .workers(2)
                    .request("cpu=1")
                    .build());
            cluster.advance(Duration.ofSeconds(10));
            job.exit("worker-1", 137, "OOMKilled");
            cluster.advance(Duration.ofSeconds(20));
            cluster.deployment("web", 1, "cpu=2", "high");
            cluster.advance(Duration.ofSeconds(10));

            assertThat(cluster.timeline())
                    .extracting(PodPlacementPeriod::toString)
                    .contains(
                            "elasticdl-small-worker-0 on node-1 from 2026-01-01T00:00:00Z"
                                    + " to 2026-01-01T00:00:33Z: Preempted",
                            "elasticdl-small-worker-1 on node-1 from 2026-01-01T00:00:00Z"
                                    + " to 2026-01-01T00:00:10Z: OOMKilled");
            PodPlacementPeriod last = cluster.timeline().get(cluster.timeline().size() - 1);
            assertThat(last.job()).isEmpty();
            assertThat(last.from()).isEqualTo("2026-01-01T00:00:33Z");
            assertThat(last.until()).isEmpty();
            assertThat(last.end()).isEmpty();
        }
    }

    @Test
    void missing_parts_of_the_cluster_are_named() {
        try (SimulatedCluster cluster = SimulatedCluster.ofNodes(1, "cpu=4")) {
            assertThatThrownBy(() -> cluster.submit(mnist().build()))
                    .hasMessageContaining("there is no PriorityClass \"high\" in the cluster, only []");
            assertThatThrownBy(() -> cluster.removeNode("node-9")).hasMessageContaining("nodes are [node-1]");
            assertThatThrownBy(() -> cluster.scaleDeployment("web", 2))
                    .hasMessageContaining("there is no deployment \"web\"");
            assertThatThrownBy(() -> cluster.deployment("web", -1, "cpu=1", ""))
                    .hasMessageContaining("replicas must be at least 0, was -1");
            SimulatedJob job = cluster.submit(
                    Job.named("small").image("a").master().workers(1).build());
            assertThatThrownBy(() -> job.exit("worker-7", 1)).hasMessageContaining("there are [master, worker-0]");
            assertThatThrownBy(() -> cluster.submit(job.plan())).hasMessageContaining("is running here already");
        }
        assertThatThrownBy(() -> SimulatedCluster.builder().build()).hasMessageContaining("needs a node");
    }
}
