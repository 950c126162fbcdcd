package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Random;
import org.junit.jupiter.api.Test;

class JobRoundTripTest {
    @Test
    void a_random_job_is_the_same_after_yaml_and_json() {
        for (long seed = 0; seed < 300; seed++) {
            Job job = RandomJobs.job(new Random(seed));
            String yaml = job.toYaml();

            assertThat(Job.fromYaml(yaml)).as("YAML, seed %d:%n%s", seed, yaml).isEqualTo(job);
            assertThat(Job.fromYaml(yaml).toYaml()).as("bytes, seed %d", seed).isEqualTo(yaml);
            assertThat(Job.fromJson(job.toJson())).as("JSON, seed %d", seed).isEqualTo(job);
            assertThat(Job.fromYaml(job.toJson()))
                    .as("JSON is YAML, seed %d", seed)
                    .isEqualTo(job);
            assertThat(job.toBuilder().build()).as("builder, seed %d", seed).isEqualTo(job);
        }
    }

    @Test
    void a_damaged_text_is_read_or_refused_and_nothing_else() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            Job job = RandomJobs.job(random);
            boolean json = random.nextBoolean();
            String damaged = damage(json ? job.toJson() : job.toYaml(), random);

            assertThatCode(() -> {
                        try {
                            assertThat(json ? Job.fromJson(damaged) : Job.fromYaml(damaged))
                                    .isNotNull();
                        } catch (InvalidJobException e) {
                            assertThat(e.problems()).isNotEmpty().allMatch(line -> line.startsWith("job"));
                        }
                    })
                    .as("seed %d:%n%s", seed, damaged)
                    .doesNotThrowAnyException();
        }
    }

    private static String damage(String text, Random random) {
        StringBuilder damaged = new StringBuilder(text);
        String noise = "{}[]:,-#&*!|>'\"%@`?\n\t 0aé\u0000\u0085\ufeff\ud83d~";
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(damaged.length());
            char c = noise.charAt(random.nextInt(noise.length()));
            switch (random.nextInt(3)) {
                case 0 -> damaged.insert(at, c);
                case 1 -> damaged.setCharAt(at, c);
                default -> damaged.delete(at, Math.min(damaged.length(), at + 1 + random.nextInt(10)));
            }
            if (damaged.isEmpty()) {
                return "";
            }
        }
        return damaged.toString();
    }

    /** Python's and Go's readers read two escapes as two halves of a surrogate pair, which are invalid. */
    @Test
    void a_character_beyond_16_bits_is_unescaped_in_every_text() {
        Job job = Job.named("m").master().workers(1).env("A", "\ud83d\ude00 #").build();

        assertThat(job.toYaml()).contains("A: \"\ud83d\ude00 #\"");
        assertThat(job.toJson()).contains("\"A\": \"\ud83d\ude00 #\"");
        assertThat(Job.fromYaml(job.toYaml())).isEqualTo(job);
        assertThat(Job.fromJson(job.toJson())).isEqualTo(job);
    }
}
