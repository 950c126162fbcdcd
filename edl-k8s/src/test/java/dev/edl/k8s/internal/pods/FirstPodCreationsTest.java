package dev.edl.k8s.internal.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FirstPodCreationsTest {
    @Test
    @Timeout(60)
    void a_lost_loop_is_not_waited_for() {
        FirstPodCreations validation = new FirstPodCreations(
                Job.builder().name("mnist").image("mnist:1").workers(2).build().plan());

        assertThat(validation.await(Duration.ofHours(1), () -> true)).isEmpty();
    }
}
