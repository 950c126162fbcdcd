package dev.edl.examples.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.examples.Printed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(300)
class RunLocalTest {
    @Test
    @EnabledOnOs(
            value = {OS.LINUX, OS.MAC},
            disabledReason = "there are no such processes")
    void a_worker_that_fails_is_relaunched_and_the_workers_are_scaled() {
        Printed printed = Printed.by(RunLocal::new, "--steps", "20");

        assertThat(printed.err()).isEmpty();
        assertThat(printed.code()).as(String.join("\n", printed.out())).isZero();
        assertThat(printed.out())
                .startsWith("Job hello (tensorflow): chief, ps x 1, worker x 2 (1..4)")
                .contains(
                        "[worker-0] ends with exit code 3, on purpose, once",
                        "-- elasticdl-hello-worker-0 failed: exit code 3",
                        "-- Relaunch the worker: elasticdl-hello-worker-0",
                        "-- scaling the workers from 2 to 4",
                        "[chief] all 20 steps are done",
                        "job hello SUCCEEDED: elasticdl-hello-chief succeeded");
        assertThat(printed.out().get(printed.out().size() - 1))
                .matches("[4-7] processes ran in \\d+\\.\\d s, and none is left");
    }

    @Test
    void all_wrong_numbers_are_reported_together() {
        Printed printed = Printed.by(RunLocal::new, "--workers", "0", "--steps", "-1");

        assertThat(printed.code()).isEqualTo(2);
        assertThat(printed.err())
                .containsExactly(
                        "--workers must be at least 1, was 0; for example --workers 2",
                        "--steps must be at least 1, was -1; for example --steps 60");
    }
}
