package dev.edl.internal.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.edl.InvalidJobException;
import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.spec.Backoff;
import dev.edl.spec.RoleType;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobRulesTest {
    private static JobBuilder mnist() {
        return Job.named("mnist").master().ps(2).workers(4);
    }

    private static List<String> problems(JobBuilder builder) {
        InvalidJobException thrown = catchThrowableOfType(InvalidJobException.class, builder::build);
        assertThat(thrown).as("the job must be refused").isNotNull();
        assertThat(thrown).hasMessage(String.join("\n", thrown.problems()));
        return thrown.problems();
    }

    private static void refused(JobBuilder builder, String... mistakes) {
        assertThat(problems(builder))
                .containsExactlyElementsOf(Arrays.stream(mistakes)
                        .map(mistake -> "job \"mnist\": " + mistake)
                        .toList());
    }

    @Test
    void every_mistake_comes_in_one_exception() {
        refused(
                Job.named("mnist")
                        .request("memory=1GB,gpu=one")
                        .master()
                        .request("1x")
                        .ps(0)
                        .workers(4)
                        .elastic(8, 1)
                        .port(70000),
                "defaults.requests: memory must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei"
                        + " k M G T P E or without, was \"1GB\"; for example memory=2048Mi",
                "defaults.requests: gpu must be a whole number of at least 0, was \"one\"; for example gpu=1",
                "master.requests: \"1x\" must have the form name=amount; for example cpu=2,memory=2048Mi",
                "worker.elastic: elastic(min, max) needs 1 <= min <= max, for example elastic(1, 8); was elastic(8, 1)",
                "ps.replicas must be at least 1, was 0; for example ps(4)",
                "worker.port must be from 1 to 65535, was 70000; for example port(2222)");
    }

    @Test
    void a_name_is_given_or_left_out_but_not_empty() {
        assertThat(problems(Job.builder().name("").workers(1)))
                .containsExactly(
                        "job: name must not be empty; leave it out to have one derived from the content; for example"
                                + " name(\"test-mnist\")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mnist", "1mnist", "mnist-", "-mnist", "m_n", "m.n", "a b", "ümlaut"})
    void a_name_is_a_dns_1035_label(String name) {
        assertThat(problems(mnist().name(name)))
                .containsExactly(
                        "job \"" + name + "\": name must be lower-case letters, digits and dashes, first a letter,"
                                + " last no dash, was \"" + name + "\"; for example name(\"test-mnist\")");
    }

    @Test
    void a_name_fits_the_value_of_a_label() {
        String longest = "a".repeat(63);
        String tooLong = longest + "b";

        assertThat(mnist().name(longest).build().name()).hasSize(63);
        assertThat(problems(mnist().name(tooLong)))
                .containsExactly(
                        "job \"" + tooLong + "\": name must have at most 63 characters, as it is the value of a"
                                + " label, was \"" + tooLong + "\" with 64");
    }

    @Test
    void a_namespace_and_a_run_id_are_dns_1123_labels() {
        refused(
                mnist().namespace("Prod").runId(""),
                "namespace must be at most 63 lower-case letters, digits and dashes, first and last no dash, was"
                        + " \"Prod\"; for example namespace(\"training\")",
                "runId must be at most 63 lower-case letters, digits and dashes, first and last no dash, was"
                        + " \"\"; for example runId(\"run-1\")");
        assertThat(mnist().namespace("1-a").build().namespace()).isEqualTo("1-a");
    }

    @Test
    void labels_and_annotations_have_kubernetes_syntax() {
        String key = ": a key must be a name of at most 63 letters, digits, dashes, dots and underscores, optionally"
                + " after a domain and a slash, was \"a b\"; for example team or example.com/team";
        refused(
                mnist().label("a b", "x").label("team", "-x").annotation("a b", "any: text"),
                "labels" + key,
                "labels.team must be at most 63 letters, digits, dashes, dots and underscores, first and last a letter"
                        + " or digit, was \"-x\"; for example label(\"team\", \"vision\")",
                "annotations" + key);
        assertThat(mnist().label("example.com/team", "").build().spec().labels())
                .hasSize(1);
    }

    @Test
    void annotations_are_measured_as_kubernetes_does_in_bytes() {
        refused(
                mnist().annotation("big", "é".repeat(150_000)),
                "annotations must have at most 262144 bytes together, had 300003");
    }

    @Test
    void half_a_surrogate_pair_is_no_text() {
        String rule = " must be text that UTF-8 can hold, had half a surrogate pair, U+D83D, at character 2;"
                + " give bytes as text, for example in Base64";
        String half = "/a\ud83d";
        refused(
                mnist().annotation("a", half)
                        .image(half)
                        .command("run", half)
                        .args(half)
                        .env("A", half)
                        .volume(Volume.claim("c", "/data").subPath("ab\udc00")),
                "annotations.a" + rule,
                "worker.image" + rule,
                "worker.volumes must be text that UTF-8 can hold, had half a surrogate pair, U+DC00, at character 41;"
                        + " give bytes as text, for example in Base64",
                "worker.command" + rule,
                "worker.args" + rule,
                "worker.env.A" + rule);
        assertThat(mnist().env("A", "\ud83d\ude00").build().name()).isEqualTo("mnist");
    }

    @Test
    void annotations_have_the_size_that_kubernetes_takes() {
        refused(
                mnist().annotation("big", "x".repeat(256 * 1024)),
                "annotations must have at most 262144 bytes together, had 262147");
    }

    @Test
    void a_job_has_roles() {
        refused(Job.named("mnist"), "roles are missing; for example ps(2).workers(4)");
    }

    @Test
    void a_repeated_role_is_a_mistake_and_does_not_change_the_first() {
        refused(
                mnist().workers(6).port(0).gpu(-1),
                "worker is given twice; specify each role once, followed by its settings",
                "worker.requests: gpu must be a whole number of at least 0, was \"-1\"; for example gpu=1");
    }

    @Test
    void a_changed_job_opens_a_role_again_only_once() {
        refused(
                mnist().build().toBuilder().workers(6).workers(7),
                "worker is given twice; specify each role once, followed by its settings");
    }

    @Test
    void replicas_are_from_one_to_the_limit_of_names() {
        refused(
                Job.named("mnist").master().ps(-1).workers(0),
                "ps.replicas must be at least 1, was -1; for example ps(4)",
                "worker.replicas must be at least 1, was 0; for example workers(4)");
        refused(
                Job.named("mnist").master().workers(100_000),
                "worker.replicas must be at most 99999, was 100000; for example workers(4)");
        refused(
                Job.named("mnist").mxnet().scheduler().servers(0).workers(1),
                "server.replicas must be at least 1, was 0; for example servers(4)");
    }

    @Test
    void elastic_bounds_hold_the_replicas() {
        refused(mnist().elastic(5, 8), "worker.replicas must lie within elastic 5..8, was 4; for example workers(5)");
        refused(mnist().elastic(1, 100_000), "worker.elastic must end at 99999 or below, was 1..100000");
        refused(
                mnist().elastic(0, 8),
                "worker.elastic: elastic(min, max) needs 1 <= min <= max, for example elastic(1, 8); was elastic(0, 8)");
    }

    @Test
    void elastic_follows_a_role_and_only_the_workers() {
        refused(
                Job.named("mnist").elastic(1, 8).master().workers(4),
                "defaults.elastic must follow a role; for example workers(4).elastic(1, 8)");
        refused(
                Job.named("mnist").master().workers(4).ps(2).elastic(1, 4),
                "ps.elastic must be left out, was 1..4; only workers can be scaled");
    }

    @Test
    void durations_have_their_signs() {
        refused(
                mnist().ttl(Duration.ofSeconds(-1)).deadline(Duration.ZERO),
                "ttl must not be negative, was PT-1S; for example ttl(Duration.ofHours(1))",
                "deadline must be more than zero, was PT0S; for example deadline(Duration.ofHours(2))");
        refused(
                mnist().backoff(Duration.ofSeconds(10), Duration.ofSeconds(5)),
                "backoff: backoff needs 0 <= initial <= max and factor >= 1, for example backoff(PT10S, 2, PT5M); was"
                        + " backoff(PT10S, 2.0, PT5S)");
    }

    @Test
    void durations_end_at_a_hundred_years() {
        Duration longest = Duration.ofDays(36_500);
        assertThat(mnist().ttl(longest)
                        .deadline(longest)
                        .backoff(longest, longest)
                        .build()
                        .spec()
                        .policy()
                        .ttl())
                .hasValue(longest);
        // 36500 days are 876000 hours; 200000 days are 4800000.
        refused(
                mnist().ttl(Duration.ofSeconds(Long.MAX_VALUE)).deadline(Duration.ofDays(200_000)),
                "ttl must be at most 36500 days, was PT2562047788015215H30M7S; for example ttl(Duration.ofHours(1))",
                "deadline must be at most 36500 days, was PT4800000H; for example deadline(Duration.ofHours(2))");
        refused(
                mnist().backoff(Duration.ZERO, longest.plusNanos(1)),
                "backoff: backoff needs max <= 36500 days, for example backoff(PT10S, 2, PT5M); was"
                        + " backoff(PT0S, 2.0, PT876000H0.000000001S)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "mnist:1 "})
    void an_image_is_one_word(String image) {
        refused(
                mnist().image(image),
                "worker.image must not be empty and have no spaces, was \"" + image
                        + "\"; for example image(\"registry.example/acme/mnist:1\")");
    }

    @Test
    void a_command_has_words_and_starts_with_a_program() {
        refused(
                mnist().command().args(),
                "worker.command must have at least one word; for example command(\"python\", \"train.py\")",
                "worker.args must have at least one word; for example args(\"--epochs\", \"5\")");
        refused(
                mnist().command(" "),
                "worker.command must start with a program, was \" \"; for example command(\"python\", \"train.py\")");
        refused(
                mnist().command("a\0").args("b\0"),
                "worker.command must not hold the character NUL, was \"a\\u0000\"",
                "worker.args must not hold the character NUL, was \"b\\u0000\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A-B", "A B", "A=B", "ä"})
    void an_environment_name_is_a_c_identifier(String name) {
        refused(
                mnist().env(name, "x"),
                "worker.env: a name must be letters, digits and underscores, first no digit, was \"" + name
                        + "\"; for example env(\"BATCH_SIZE\", \"64\")");
    }

    @Test
    void an_environment_value_holds_no_nul() {
        refused(mnist().env("A", "x\0"), "worker.env.A must not hold the character NUL, was \"x\\u0000\"");
    }

    @Test
    void a_port_and_a_relaunch_limit_have_their_ranges() {
        refused(
                mnist().port(0).relaunchLimit(-1),
                "worker.port must be from 1 to 65535, was 0; for example port(2222)",
                "worker.relaunchLimit must be at least 0, was -1; for example relaunchLimit(3)");
    }

    @Test
    void typed_adders_have_the_rules_of_the_grammar() {
        refused(
                mnist().cpu(-1).memory("1GB").disk("x").gpu(-1).gpu("tpu", 1),
                "worker.requests: cpu must be a number of cores or millicores of at least 0, was"
                        + " \"-1\"; for example cpu=2, cpu=0.5 or cpu=500m",
                "worker.requests: memory must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k"
                        + " M G T P E or without, was \"1GB\"; for example memory=2048Mi",
                "worker.requests: disk must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi Ei k"
                        + " M G T P E or without, was \"x\"; for example disk=2048Mi",
                "worker.requests: gpu must be a whole number of at least 0, was \"-1\"; for example gpu=1",
                "worker.requests: \"tpu\" is not a resource; did you mean \"cpu\"?");
    }

    @Test
    void a_limit_is_at_least_its_request() {
        refused(
                mnist().request("cpu=2,memory=2048Mi").limit("cpu=1500m,memory=1Gi"),
                "worker.limits: cpu=1500m must be at least the request cpu=2",
                "worker.limits: memory=1Gi must be at least the request memory=2Gi");
        refused(
                Job.named("mnist").limit("cpu=1").master().workers(4).cpu(2),
                "worker.limits: cpu=1 must be at least the request cpu=2");
    }

    @Test
    void a_mistake_of_the_defaults_is_reported_once() {
        refused(
                Job.named("mnist")
                        .request("cpu=2")
                        .limit("cpu=1")
                        .master()
                        .ps(1)
                        .workers(4),
                "defaults.limits: cpu=1 must be at least the request cpu=2");
    }

    @Test
    void a_device_has_the_same_limit_and_request() {
        refused(
                mnist().gpu(1).limit("gpu=2"),
                "worker.limits: nvidia.com/gpu=2 must equal the request nvidia.com/gpu=1, as Kubernetes does not share"
                        + " such devices");
    }

    @Test
    void a_mount_path_is_used_once_in_a_role() {
        refused(
                Job.named("mnist")
                        .volume(Volume.claim("a", "/data"))
                        .master()
                        .workers(4)
                        .volume("mount_path=/data/,claim_name=b"),
                "worker.volumes: /data must be mounted once, was by \"mount_path=/data,claim_name=a\" and by"
                        + " \"mount_path=/data,claim_name=b\"");
    }

    @Test
    void a_malformed_volume_is_reported_with_its_role() {
        refused(
                mnist().volume("claim_name=c"),
                "worker.volumes: volume \"claim_name=c\": mount_path is missing; for example"
                        + " mount_path=/data,claim_name=fileserver-claim");
    }

    @Test
    void a_fraction_of_high_priority_is_for_workers() {
        refused(
                Job.named("mnist")
                        .priority("0.5")
                        .master()
                        .priority("high=0.25")
                        .workers(4)
                        .priority("0.5"),
                "defaults.priority must be a class, as a fraction is for workers only, was \"0.5\"; for example"
                        + " workers(4).priority(\"0.5\")",
                "master.priority must be a class, as a fraction is for workers only, was \"high=0.25\"; for example"
                        + " priority(\"high\")");
        refused(
                mnist().priority("1.5"),
                "worker.priority: priority must be the name of a PriorityClass, a fraction from 0 to 1, or"
                        + " high=<fraction>, was \"1.5\"; for example high, 0.5 or high=0.5");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void a_null_is_a_mistake_like_any_other() {
        String nothing = System.getProperty("dev.edl.not.there");
        refused(
                mnist().image(nothing)
                        .namespace(nothing)
                        .env("A", nothing)
                        .memory(nothing)
                        .args("a", nothing)
                        .label("a", nothing),
                "worker.image must not be null",
                "namespace must not be null",
                "worker.env.A must not be null",
                "worker.requests must not be null",
                "worker.args must not hold null",
                "labels.a must not be null");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void a_null_map_list_or_array_is_a_mistake() {
        Map<String, String> noMap = absent();
        List<Volume> noVolumes = absent();
        String[] noWords = absent();
        refused(
                mnist().env(noMap)
                        .volumes(noVolumes)
                        .command(noWords)
                        .labels(noMap)
                        .annotations(noMap)
                        .backoff(absent(), Duration.ZERO),
                "worker.env must not be null",
                "worker.volumes must not be null",
                "worker.command must not be null",
                "labels must not be null",
                "annotations must not be null",
                "backoff must not be null");
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without null checks may do
    void a_null_argument_elsewhere_throws_and_leaves_the_builder_unchanged() {
        JobBuilder builder = Job.named("mnist").master();
        assertThatNullPointerException()
                .isThrownBy(() -> builder.workers(1, absent()))
                .withMessage("settings");
        assertThat(builder.workers(2).build().role(RoleType.WORKER))
                .hasValueSatisfying(role -> assertThat(role.replicas()).isEqualTo(2));
        assertThatNullPointerException()
                .isThrownBy(() -> Job.fromYaml(absent()))
                .withMessage("yaml");
        assertThatNullPointerException()
                .isThrownBy(() -> Job.fromJson(absent()))
                .withMessage("json");
        assertThatNullPointerException().isThrownBy(() -> Job.of(absent())).withMessage("spec");
        assertThatNullPointerException()
                .isThrownBy(() -> mnist().build().role(JobRulesTest.<RoleType>absent()))
                .withMessage("type");
        assertThatNullPointerException()
                .isThrownBy(() -> new Backoff(absent(), 1, Duration.ZERO))
                .withMessage("initial");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"
    }) // a null of any type, for calls that must not have it
    private static <T> T absent() {
        return null;
    }

    @Test
    void quoted_line_breaks_are_escaped_in_a_message() {
        assertThat(problems(mnist().name("a\nb").env(Map.of("A\r\nB", "x"))))
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).startsWith("job \"a\\u000ab\": ").doesNotContain("\n", "\r"));
    }

    @Test
    void a_setter_never_throws_and_a_mistake_stays() {
        refused(
                mnist().request("cpu=x").request("cpu=1"),
                "worker.requests: cpu must be a number of cores or millicores of at least 0, was"
                        + " \"x\"; for example cpu=2, cpu=0.5 or cpu=500m");
    }
}
