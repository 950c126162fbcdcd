package dev.edl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import org.junit.jupiter.api.Test;

class PlanTableTest {
    @Test
    void commands_are_shown_as_a_shell_takes_them() {
        Job job = Job.named("j")
                .command("python", "train.py")
                .workers(2)
                .args("--epochs", "5", "it's\nhere", "")
                .ps(1, ps -> ps.command("sh", "-c", "exec ps $PS_ID"))
                .build();

        assertThat(job.plan().toString()).contains("""

                Command
                  master   python train.py
                  worker   python train.py --epochs 5 'it'\\''s\\nhere' ''
                  ps       sh -c 'exec ps $PS_ID'

                Environment of""");
    }

    @Test
    void arguments_alone_follow_the_image_s_entry_point() {
        Job job = Job.named("j").tensorflow().workers(1).args("--epochs", "5").build();

        assertThat(job.plan().toString()).contains("  worker   (the image's entry point) --epochs 5\n");
    }

    @Test
    void a_job_without_commands_and_variables_has_no_empty_table() {
        assertThat(Job.named("j").tensorflow().workers(1).build().plan().toString())
                .doesNotContain("Command", "Environment")
                .endsWith("  worker   elasticdl-j-worker-0.default.svc:2222\n");
    }

    @Test
    void the_launcher_s_variables_are_shown_where_workers_have_none() {
        assertThat(Job.named("j").horovod().launcher().workers(2).build().plan().toString())
                .endsWith("""

                        Environment of elasticdl-j-launcher
                          EDL_HOROVODRUN   -np 2 -H elasticdl-j-worker-0.default.svc:1,elasticdl-j-worker-1.default.svc:1
                        """);
    }

    @Test
    void a_variable_is_shown_whole_up_to_a_thousand_characters() {
        Job small = Job.named("j").tensorflow().ps(2).workers(4).build();
        assertThat(small.plan().toString())
                .contains(small.plan().replica("worker", 0).env().get("TF_CONFIG") + "\n");

        Job large = Job.named("j").tensorflow().ps(2).workers(400).build();
        int bytes = large.plan()
                .replica("worker", 0)
                .env()
                .getOrDefault("TF_CONFIG", "")
                .length();
        assertThat(large.plan().toString())
                .endsWith(
                        "... (" + bytes + " bytes; all of it: plan.replica(\"worker\", 0).env().get(\"TF_CONFIG\"))\n");
    }
}
