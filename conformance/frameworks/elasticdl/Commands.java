import dev.edl.elasticdl.ElasticDlCommand;
import dev.edl.elasticdl.ElasticDlVersion;
import dev.edl.elasticdl.ElasticDlVerb;
import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.spec.Priority;
import dev.edl.RoleBuilder;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * EDL's half of the check of command lines. {@code known ERA} prints the flags of each verb; {@code write ERA COUNT SEED}
 * prints command lines that EDL writes, with what they mean to it; {@code read ERA} reads command lines from the standard
 * input, a line each, words separated by U+001F, and prints what they mean to EDL, or why it refuses them. All as JSON, a
 * line each.
 */
final class Commands {
    private static final List<String> TEXTS =
            List.of("a", "/data/mnist/train", "two words", "$HOME", "a\"b", "a\\b", "--x", "-1", "x=y", "é", "");
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private Commands() {}

    public static void main(String[] args) throws IOException {
        ElasticDlVersion version = ElasticDlVersion.valueOf(args[1]);
        switch (args[0]) {
            case "known" -> {
                for (ElasticDlVerb verb : ElasticDlVerb.values()) {
                    OUT.println(json(Map.of("verb", verb.toString(), "flags", ElasticDlCommand.known(version, verb))));
                }
            }
            case "write" -> write(version, Integer.parseInt(args[2]), new Random(Long.parseLong(args[3])));
            case "read" -> read(version);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void read(ElasticDlVersion version) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            try {
                OUT.println(json(meaning(ElasticDlCommand.parse(version, Arrays.asList(line.split("\u001f", -1))))));
            } catch (InvalidJobException e) {
                OUT.println(json(Map.of("refused", e.problems())));
            }
        }
    }

    private static void write(ElasticDlVersion version, int count, Random random) {
        for (int i = 0; i < count; i++) {
            ElasticDlVerb verb = List.of(ElasticDlVerb.values()).get(random.nextInt(3));
            Job job = job(version, random);
            Map<String, String> flags = flags(version, verb, random);
            ElasticDlCommand command = ElasticDlCommand.of(version, verb, job, flags);
            OUT.println(json(Map.of("words", command.words(), "means", meaning(command))));
        }
    }

    /** Every flag as the job, or else the command, says it; the client's half brings its own to the same form. */
    private static Map<String, Object> meaning(ElasticDlCommand command) {
        Map<String, Object> means = new LinkedHashMap<>();
        Job job = command.job();
        means.put("verb", command.verb().toString());
        means.put("job_name", job.name());
        means.put("namespace", job.namespace());
        for (RoleType type : List.of(RoleType.MASTER, RoleType.PS, RoleType.WORKER)) {
            job.role(type).ifPresent(role -> role(means, role, job.spec().effective(role)));
        }
        means.put("num_ps_pods", job.role(RoleType.PS).map(RoleSpec::replicas).orElse(0));
        means.put("num_workers", job.role(RoleType.WORKER).map(RoleSpec::replicas).orElse(0));
        RoleTemplate master = job.spec().effective(job.role(RoleType.MASTER).orElseThrow());
        means.put("volume", master.volumes().stream().map(Commands::volume).toList());
        means.put("envs", master.env());
        for (String flag : ElasticDlCommand.known(command.era(), command.verb())) {
            String value;
            try {
                value = command.text(flag).orElse("");
            } catch (IllegalArgumentException theJobSaysIt) {
                continue;
            }
            means.put(flag, value);
        }
        return means;
    }

    private static void role(Map<String, Object> means, RoleSpec role, RoleTemplate template) {
        String word = role.type().id();
        means.put(word + "_image", template.image().orElse(""));
        means.put(word + "_resource_request", template.requests().orElseThrow().amounts());
        means.put(word + "_resource_limit", template.effectiveLimits().amounts());
        means.put(word + "_pod_priority", template.priority().map(Priority::toString).orElse(""));
        means.put(word + "_command", template.command());
        if (role.type() != RoleType.MASTER) {
            means.put(word + "_relaunches", template.relaunchLimit().orElse(1));
        }
    }

    private static Map<String, String> volume(Volume volume) {
        return Arrays.stream(volume.toString().split(","))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(field -> field[0], field -> field[1]));
    }

    private static Job job(ElasticDlVersion version, Random random) {
        boolean release = version == ElasticDlVersion.RELEASE_1_0;
        JobBuilder job = Job.named("job-" + random.nextInt(100)).image("acme/mnist:" + random.nextInt(9));
        if (random.nextBoolean()) {
            job.namespace("team-" + random.nextInt(9));
        }
        if (random.nextBoolean()) {
            job.volume("mount_path=/data,claim_name=c,sub_path=a/b;mount_path=/c,host_path=/mnt/d,type=Directory");
        }
        if (random.nextBoolean()) {
            job.env("A", "1").env("B", "x,y").env("C", "").env("D", "two words, $HOME \"and\" more");
        }
        job.master(master -> role(master, release, random));
        if (random.nextBoolean()) {
            job.ps(1 + random.nextInt(9), ps -> {
                role(ps, release, random);
                if (release && random.nextBoolean()) {
                    ps.image("acme/ps:1");
                }
            });
        }
        return job.workers(1 + random.nextInt(9), workers -> {
                    role(workers, release, random);
                    if (release && random.nextBoolean()) {
                        workers.image("acme/worker:1");
                    }
                    if (random.nextInt(3) == 0) {
                        workers.priority(release ? Priority.fraction(0.25) : Priority.leading(0.25));
                    }
                })
                .build();
    }

    private static void role(RoleBuilder role, boolean release, Random random) {
        String memory = 1 + random.nextInt(4096) + List.of("Ki", "Mi", "Gi", "M", "G").get(random.nextInt(5));
        String request = "cpu=" + (1 + random.nextInt(16_000)) + "m,memory=" + memory
                + (random.nextBoolean() ? ",gpu=" + random.nextInt(8) : "")
                + (random.nextBoolean() ? ",amd.com/gpu=1" : "")
                // The client of 2020 knew no device but whole GPUs.
                + (release && random.nextBoolean() ? ",nvidia.com/mig-1g.5gb=2" : "");
        role.request(request);
        if (random.nextBoolean()) {
            role.limit("cpu=17,memory=5000Gi,ephemeral-storage=10Gi");
        }
        if (random.nextBoolean()) {
            role.priority(random.nextBoolean() ? Priority.HIGH : Priority.LOW);
        }
    }

    /** Numbers, truth values and words are told apart by what EDL accepts. */
    private static Map<String, String> flags(ElasticDlVersion version, ElasticDlVerb verb, Random random) {
        Map<String, String> flags = new LinkedHashMap<>();
        Job least = Job.named("a").master().workers(1).build();
        Map<String, String> required = new LinkedHashMap<>(Map.of("model_zoo", "/zoo", "model_def", "m.m.custom_model"));
        if (verb != ElasticDlVerb.TRAIN) {
            required.put("checkpoint_dir_for_init", "/c");
            required.put(verb == ElasticDlVerb.EVALUATE ? "validation_data" : "prediction_data", "/d");
        }
        for (String flag : ElasticDlCommand.known(version, verb)) {
            if (random.nextInt(3) > 0 && !required.containsKey(flag)) {
                continue;
            }
            List<String> values = List.of(
                    TEXTS.get(random.nextInt(TEXTS.size())),
                    Boolean.toString(random.nextBoolean()),
                    Integer.toString(1 + random.nextInt(1000)),
                    "a=1; b=\"x y\"",
                    "Never",
                    "AllreduceStrategy",
                    "debug",
                    "on",
                    "none",
                    "cpu=2,memory=2048Mi,gpu=1",
                    "m.m.custom_model");
            for (String value : values) {
                Map<String, String> one = new LinkedHashMap<>(required);
                one.put(flag, value);
                try {
                    ElasticDlCommand.of(version, verb, least, one);
                    flags.put(flag, value);
                    break;
                } catch (InvalidJobException notThis) {
                    // The next kind of value, or none when it is the job's own flag.
                }
            }
        }
        required.forEach(flags::putIfAbsent);
        return flags;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Commands::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Number) {
            return value.toString();
        }
        StringBuilder text = new StringBuilder("\"");
        for (char c : value.toString().toCharArray()) {
            text.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? String.format("\\u%04x", (int) c) : "" + c);
        }
        return text.append('"').toString();
    }
}
