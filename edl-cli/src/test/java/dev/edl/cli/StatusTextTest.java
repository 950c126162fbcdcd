package dev.edl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.exec.JobStatus;
import dev.edl.exec.RoleStatus;
import dev.edl.spec.RoleType;
import dev.edl.status.JobPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class StatusTextTest {
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant LATER = START.plusSeconds(60);

    private static PrintedJobStatus job(String name, JobPhase phase, int running) {
        return new PrintedJobStatus(
                "team",
                new JobStatus(
                        name,
                        phase,
                        "",
                        Optional.of(START.minusSeconds(30)),
                        Optional.empty(),
                        List.of(new RoleStatus(RoleType.WORKER, 2, 2 - running, running, 0, 0)),
                        List.of(),
                        List.of(),
                        Duration.ZERO),
                "",
                Optional.empty());
    }

    @Test
    void a_pipe_gets_the_table_once_and_then_the_changed_lines() {
        StatusText text = new StatusText(false, true, Ansi.OFF, START, () -> 24);

        assertThat(text.next(List.of(job("cifar", JobPhase.PENDING, 0), job("mnist", JobPhase.RUNNING, 1)), START))
                .isEqualTo("""
                        NAME    PHASE     RUNNING   AGE
                        cifar   PENDING   0/2       30s
                        mnist   RUNNING   1/2       30s
                        """);
        assertThat(text.next(List.of(job("cifar", JobPhase.PENDING, 0), job("mnist", JobPhase.RUNNING, 1)), LATER))
                .isEmpty();
        assertThat(text.next(List.of(job("cifar", JobPhase.SUCCEEDED, 0), job("mnist", JobPhase.RUNNING, 1)), LATER))
                .isEqualTo("cifar   SUCCEEDED   0/2       90s\n");
    }

    @Test
    void a_pipe_gets_the_changed_lines_of_one_job() {
        StatusText text = new StatusText(true, true, Ansi.OFF, START, () -> 24);

        text.next(List.of(job("mnist", JobPhase.RUNNING, 1)), START);

        assertThat(text.next(List.of(job("mnist", JobPhase.RUNNING, 2)), LATER))
                .isEqualTo("job mnist RUNNING: worker 2/2 running\n");
    }

    @Test
    void a_terminal_shows_one_table_in_place_with_coloured_phases() {
        StatusText text = new StatusText(false, true, Ansi.ON, START, () -> 24);

        assertThat(text.next(List.of(job("mnist", JobPhase.PENDING, 0)), START))
                .isEqualTo("\033[?7lNAME    PHASE     RUNNING   AGE\n"
                        + "mnist   \033[33mPENDING\033[39m\033[0m   0/2       30s\n\033[?7h");
        assertThat(text.next(List.of(job("mnist", JobPhase.FAILED, 0)), LATER))
                .isEqualTo("\033[2A\033[J\033[?7lNAME    PHASE    RUNNING   AGE\n"
                        + "mnist   \033[31mFAILED\033[39m\033[0m   0/2       90s\n\033[?7h");
    }

    @Test
    void a_table_is_cut_to_the_lines_of_the_terminal() {
        StatusText text = new StatusText(false, true, Ansi.ON, START, () -> 4);
        List<PrintedJobStatus> jobs =
                List.of(job("a", JobPhase.PENDING, 0), job("b", JobPhase.PENDING, 0), job("c", JobPhase.PENDING, 0));

        assertThat(text.next(jobs.subList(0, 2), START)).endsWith("30s\n\033[?7h");
        assertThat(text.next(jobs, START))
                .isEqualTo("\033[3A\033[J\033[?7lNAME   PHASE     RUNNING   AGE\n"
                        + "a      \033[33mPENDING\033[39m\033[0m   0/2       30s\nand 2 more lines\n\033[?7h");
        assertThat(text.next(jobs, LATER)).startsWith("\033[3A\033[J");
    }

    @Test
    void no_jobs_have_no_table_until_jobs_were_shown() {
        StatusText text = new StatusText(false, true, Ansi.ON, START, () -> 24);

        assertThat(text.next(List.of(), START)).isEmpty();
        text.next(List.of(job("mnist", JobPhase.RUNNING, 1)), START);
        assertThat(text.next(List.of(), START))
                .isEqualTo("\033[2A\033[J\033[?7lNAME   PHASE   RUNNING   AGE\n\033[?7h");
    }

    @Test
    void a_terminal_without_a_watch_gets_colours_only() {
        assertThat(new StatusText(true, false, Ansi.ON, START, () -> 24)
                        .next(List.of(job("mnist", JobPhase.RUNNING, 1)), START))
                .startsWith("job mnist \033[32mRUNNING\033[39m\033[0m: worker 1/2 running, 1 pending\n");
    }
}
