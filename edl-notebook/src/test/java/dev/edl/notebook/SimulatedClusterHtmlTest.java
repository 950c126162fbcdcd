package dev.edl.notebook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.testkit.cluster.SimulatedCluster;
import dev.edl.testkit.cluster.SimulatedJob;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SimulatedClusterHtmlTest {
    private static SimulatedCluster cluster() {
        return SimulatedCluster.builder()
                .nodes(2, "cpu=8,memory=16Gi")
                .priorityClass("high", 1000)
                .priorityClass("low", 1)
                .startsAfter(Duration.ofSeconds(2))
                .leavesAfter(Duration.ofSeconds(3))
                .build();
    }

    @Test
    void a_cluster_is_a_timeline_of_pods_on_nodes() {
        try (SimulatedCluster cluster = cluster()) {
            SimulatedJob job = cluster.submit(JobHtmlTest.mnist());
            cluster.advance(Duration.ofSeconds(20));
            cluster.deployment("web", 3, "cpu=4", "high");
            cluster.advance(Duration.ofSeconds(40));
            cluster.scaleDeployment("web", 1);
            cluster.advance(Duration.ofSeconds(30));
            job.exit("worker-1", 137, "OOMKilled");
            cluster.advance(Duration.ofSeconds(30));

            Pages.check("cluster", SimulatedClusterHtml.of(cluster));
        }
    }

    @Test
    void a_cluster_on_which_nothing_ran_is_an_empty_picture() {
        try (SimulatedCluster cluster = cluster()) {
            assertThat(SimulatedClusterHtml.of(cluster)).contains("alt=\"0 pods on 0 nodes within 0s");
        }
    }

    @Test
    void a_name_cannot_bring_markup() {
        try (SimulatedCluster cluster = cluster()) {
            cluster.addNode("<script>", "cpu=64");
            cluster.deployment("<b>", 1, "cpu=32", "");

            assertThat(SimulatedClusterHtml.picture(cluster.timeline(), cluster.now())
                            .toString())
                    .contains(">&lt;script&gt;</text>", ">&lt;b&gt;-0</text>")
                    .doesNotContain("<script", "<b>");
        }
    }
}
