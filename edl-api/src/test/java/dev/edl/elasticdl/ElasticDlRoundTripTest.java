package dev.edl.elasticdl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.RoleBuilder;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ElasticDlRoundTripTest {
    private static final List<String> TEXTS = List.of(
            "a", "/data/mnist/train", "two words", "$HOME", "a\"b", "a\\b", "--x", "-1", "x=y", "é", "", "a\nb");

    @ParameterizedTest
    @EnumSource(ElasticDlVersion.class)
    void what_is_written_reads_back(ElasticDlVersion version) {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            ElasticDlVerb verb = List.of(ElasticDlVerb.values()).get(random.nextInt(3));
            ElasticDlCommand command = ElasticDlCommand.of(version, verb, job(random), flags(version, verb, random));

            assertThat(command.losses()).as("seed %d", seed).isEmpty();
            assertThat(ElasticDlCommand.parse(version, command.words()))
                    .as("seed %d", seed)
                    .isEqualTo(command);
            assertThat(ElasticDlCommand.parse(version, command.toString()))
                    .as("seed %d", seed)
                    .isEqualTo(command);
        }
    }

    /**
     * Returns a job as a command line can express it: settings common to all pods as defaults, the rest in the roles.
     */
    private static Job job(Random random) {
        JobBuilder job = Job.named("job-" + random.nextInt(100)).image("acme/mnist:" + random.nextInt(9));
        if (random.nextBoolean()) {
            job.namespace("team-" + random.nextInt(9));
        }
        if (random.nextBoolean()) {
            job.volume("mount_path=/data,claim_name=c;mount_path=/cache,host_path=/mnt/disk1,type=Directory");
        }
        if (random.nextBoolean()) {
            job.env("A", "1").env("B", "x,y").env("C", "").env("D", "two words, $HOME \"and\" more");
        }
        job.master(master -> role(master, random));
        if (random.nextBoolean()) {
            job.ps(1 + random.nextInt(9), ps -> role(ps, random));
        }
        return job.workers(1 + random.nextInt(9), workers -> role(workers, random))
                .build();
    }

    private static void role(RoleBuilder role, Random random) {
        String memory =
                1 + random.nextInt(4096) + List.of("Ki", "Mi", "Gi", "M", "G").get(random.nextInt(5));
        role.request("cpu=" + (1 + random.nextInt(16000)) + "m,memory=" + memory);
        Resources devices = Resources.of();
        if (random.nextBoolean()) {
            devices = devices.gpu(random.nextInt(8));
            role.request(devices);
        }
        if (random.nextBoolean()) {
            role.limit("cpu=16,memory=" + memory).limit(random.nextBoolean() ? "disk=10Gi" : "cpu=17");
            role.limit(devices);
        }
        if (random.nextBoolean()) {
            role.priority(random.nextBoolean() ? Priority.HIGH : Priority.LOW);
        }
    }

    private static Map<String, String> flags(ElasticDlVersion version, ElasticDlVerb verb, Random random) {
        Map<String, String> flags = new LinkedHashMap<>();
        List<ElasticDlFlag> known = new ArrayList<>(ElasticDlFlags.of(version, verb));
        for (ElasticDlFlag flag : known) {
            if (!flag.ofJob() && (flag.required(version, verb) || random.nextInt(3) == 0)) {
                flags.put(flag.name(), value(flag, random));
            }
        }
        return flags;
    }

    private static String value(ElasticDlFlag flag, Random random) {
        return switch (flag.kind()) {
            case TEXT -> TEXTS.get(random.nextInt(TEXTS.size()));
            case NUMBER -> Integer.toString(1 + random.nextInt(1000));
            case TRUTH -> Boolean.toString(random.nextBoolean());
            case WORD -> flag.choices().get(random.nextInt(flag.choices().size()));
            case PARAMETERS -> "a=1; b=\"x y\"; c=[1, 2]";
            case RESOURCES -> "cpu=2,memory=2048Mi,gpu=1";
            case CRITICAL_WORKERS -> "0:1,2:3";
            case SYMBOL -> "mnist.mnist.custom_model";
        };
    }
}
