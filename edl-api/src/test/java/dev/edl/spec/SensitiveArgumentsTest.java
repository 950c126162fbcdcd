package dev.edl.spec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import java.util.List;
import org.junit.jupiter.api.Test;

class SensitiveArgumentsTest {
    private static List<String> shown(String... words) {
        return SensitiveArguments.shown(List.of(words));
    }

    @Test
    void a_value_is_masked_after_an_equals_sign_and_in_the_next_word() {
        assertThat(shown("train", "--api-key=hf_1", "--password", "hunter 2", "--db.password=a b", "-token", "t0k"))
                .containsExactly("train", "--api-key=***", "--password", "***", "--db.password=***", "-token", "***");
    }

    @Test
    void a_script_is_masked_where_it_sets_a_variable_or_a_flag() {
        assertThat(shown("sh", "-c", "HF_TOKEN='a b' EPOCHS=3 train --secret s3 --lr 0.1; AWS_SECRET_ACCESS_KEY=k run"))
                .containsExactly(
                        "sh", "-c", "HF_TOKEN=*** EPOCHS=3 train --secret *** --lr 0.1; AWS_SECRET_ACCESS_KEY=*** run");
    }

    @Test
    void what_is_no_secret_is_shown() {
        String[] words = {
            "python",
            "train.py",
            "--max_tokens",
            "512",
            "--token-file=/run/token",
            "--lr=0.1",
            "--key",
            "--verbose",
            "--token=$HF_TOKEN",
            "--token",
            "${HF_TOKEN}",
            "echo the key is here",
            "--epochs",
            "3",
            ""
        };
        assertThat(shown(words)).containsExactly(words);
    }

    @Test
    void a_printed_plan_masks_them_and_the_plan_keeps_them() {
        Job job = Job.named("masked")
                .tensorflow()
                .workers(1)
                .command("train", "--token=s3cr3t")
                .args("--password", "s3cr3t")
                .build();

        assertThat(job.plan().toString())
                .contains("train '--token=***' --password '***'")
                .doesNotContain("s3cr3t");
        assertThat(job.plan().role("worker").template().command()).containsExactly("train", "--token=s3cr3t");
    }
}
