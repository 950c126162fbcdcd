package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobTextErrorsTest {
    private static final String ROLES = """
            roles:
              master: {}
              worker: {replicas: 4}
            """;

    private static void refused(String yaml, String... lines) {
        InvalidJobException thrown = catchThrowableOfType(InvalidJobException.class, () -> Job.fromYaml(yaml));
        assertThat(thrown).as("the text must be refused").isNotNull();
        assertThat(thrown.problems()).containsExactly(lines);
    }

    /** Checks the mistakes of a text whose job is named mnist. */
    private static void wrong(String yaml, String... mistakes) {
        refused(
                "name: mnist\n" + yaml,
                Arrays.stream(mistakes).map(line -> "job \"mnist\": " + line).toArray(String[]::new));
    }

    @Test
    void unknown_keys_are_refused_at_every_level_with_the_nearest_known_one() {
        wrong(
                """
                nmae: x
                defaults: {imgae: a}
                backoff: {intial: 1s}
                roles:
                  wroker: {}
                  master: {}
                  worker:
                    replicsa: 4
                    elastic: {min: 1, max: 2, mean: 1}
                    exitCodes: {fre: [1]}
                    volumes:
                      - {mount_path: /data, claimName: c}
                    requests: {memroy: 1Gi}
                """,
                "nmae: unknown key; did you mean \"name\"?",
                "backoff.intial: unknown key; did you mean \"initial\"?",
                "defaults.imgae: unknown key; did you mean \"image\"?",
                "roles.wroker: unknown key; did you mean \"worker\"?",
                "roles.worker.replicsa: unknown key; did you mean \"replicas\"?",
                "roles.worker.elastic.mean: unknown key; known are min, max",
                "roles.worker.requests: \"memroy\" is not a resource; did you mean \"memory\"?",
                "roles.worker.volumes[0].mount_path: unknown key; did you mean \"mountPath\"?",
                "roles.worker.exitCodes.fre: unknown key; did you mean \"free\"?");
    }

    @Test
    void the_advice_quotes_the_text() {
        wrong(
                "defaults: {env: {A: 3.10, B: 0644, C: on, D: true}, requests: {cpu: 010}}\nroles: {worker: {replicas:"
                        + " 4.5}}\n",
                "defaults.env.A must be text, was the number 3.10; for example \"3.10\"",
                "defaults.env.B must be text, was the number 0644; for example \"0644\"",
                "defaults.env.C must be text, was on, which YAML reads as true; for example \"on\"",
                "defaults.env.D must be text, was true; for example \"true\"",
                "defaults.requests.cpu: a number that begins with 0 may be octal; for example \"2\" in quotes",
                "roles.worker.replicas must be a whole number, was the number 4.5; for example 4");
    }

    @Test
    void a_misplaced_key_is_reported_with_its_level() {
        String defaults = "unknown key here; a setting of all roles belongs under \"defaults\", as defaults.";
        wrong(
                "image: a:1\nenv: {A: b}\nrequests: cpu=1\nvolumes: []\npriority: high\nreplicas: 2\nworker: {}\n"
                        + ROLES,
                "image: " + defaults + "image",
                "env: " + defaults + "env",
                "requests: " + defaults + "requests",
                "volumes: " + defaults + "volumes",
                "priority: " + defaults + "priority",
                "replicas: unknown key here; it belongs to a role, as roles.worker.replicas",
                "worker: unknown key here; a role belongs under \"roles\", as roles.worker");
    }

    @Test
    void a_key_without_a_near_one_lists_all_known_keys() {
        wrong("backoff: {colour: 1}\n" + ROLES, "backoff.colour: unknown key; known are initial, factor, max");
    }

    @Test
    void values_have_their_types() {
        wrong(
                """
                namespace: 5
                labels: [a]
                annotations: {a: {b: c}}
                framework: tensorflw
                cleanup: 1
                ttl: 5
                deadline: soon
                backoff: {factor: fast}
                defaults: none
                roles:
                  master: 1
                  worker:
                    replicas: four
                    elastic: 1..8
                    image:
                    env: {EPOCHS: 5, ON: true}
                    requests: [cpu]
                    priority: true
                    port: 1.5
                    command: python train.py
                    args: [a, 1]
                    restart: OnFailure
                    exitCodes: {free: ["137"]}
                    volumes: {mountPath: /data}
                    relaunchLimit: 99999999999
                """,
                "namespace must be text, was the number 5; for example \"5\"",
                "framework must be one of elasticdl, tensorflow, mxnet, horovod, pytorch, was \"tensorflw\"; did you mean"
                        + " \"tensorflow\"?",
                "labels must be a map, was a list",
                "annotations.a must be text, was a map",
                "cleanup must be one of none, running, all, was the number 1",
                "ttl must be a duration, was the number 5; for example PT2H, 2h or 30s",
                "deadline must be a duration, was \"soon\"; for example PT2H, 2h or 30s",
                "backoff.factor must be a number, was \"fast\"; for example 1.5",
                "defaults must be a map, was \"none\"",
                "roles.master must be a map, was the number 1",
                "roles.worker.replicas must be a whole number, was \"four\"; for example 4",
                "roles.worker.elastic must be a map, was \"1..8\"",
                "roles.worker.image must be text, was nothing",
                "roles.worker.command must be a list, was \"python train.py\"",
                "roles.worker.args[1] must be text, was the number 1; for example \"1\"",
                "roles.worker.env.EPOCHS must be text, was the number 5; for example \"5\"",
                "roles.worker.env.ON must be text, was true; for example \"true\"",
                "roles.worker.requests must be text, was a list",
                "roles.worker.priority must be text, was true; for example \"true\"",
                "roles.worker.volumes must be a list, was a map",
                "roles.worker.port must be a whole number, was the number 1.5; for example 4",
                "roles.worker.restart must be one of never, on-failure, always, was \"OnFailure\"; did you mean"
                        + " \"on-failure\"?",
                "roles.worker.exitCodes.free[0] must be a whole number, was \"137\"; for example 4",
                "roles.worker.relaunchLimit must lie within 32 bits, was the number 99999999999");
    }

    @Test
    void the_rules_of_a_job_apply_with_the_paths_of_the_text() {
        wrong(
                """
                namespace: Prod
                defaults: {image: "a b"}
                roles:
                  ps: {replicas: 0}
                  worker:
                    replicas: 4
                    elastic: {min: 8, max: 1}
                    requests: cpu=2,memory=1GB
                    limits: cpu=1
                    exitCodes: {free: [0]}
                """,
                "roles.worker.elastic: elastic(min, max) needs 1 <= min <= max, for example elastic(1, 8); was"
                        + " elastic(8, 1)",
                "roles.worker.requests: memory must be a number of bytes of at least 0, with one of Ki Mi Gi Ti Pi"
                        + " Ei k M G T P E or without, was \"1GB\"; for example memory=2048Mi",
                "roles.worker.exitCodes: free exit codes lie between 1 and 255, for example 137; was 0",
                "namespace must be at most 63 lower-case letters, digits and dashes, first and last no dash, was"
                        + " \"Prod\"; for example namespace: training",
                "defaults.image must not be empty and have no spaces, was \"a b\"; for example image:"
                        + " registry.example/acme/mnist:1",
                "roles.ps.replicas must be at least 1, was 0; for example replicas: 4",
                "roles.worker.limits: cpu=1 must be at least the request cpu=2");
    }

    @Test
    void a_name_that_is_a_number_is_refused_with_the_rule() {
        refused(
                "name: 123\n" + ROLES,
                "job \"123\": name must be lower-case letters, digits and dashes, first a letter, last no dash, was"
                        + " \"123\"; for example name: test-mnist");
    }

    @Test
    void durations_end_at_a_hundred_years() {
        // 999999 days are 23999976 hours.
        wrong(
                "ttl: 999999d\ndeadline: PT9223372036854775807S\nbackoff: {initial: 1s, max: 36501d}\n" + ROLES,
                "backoff: backoff needs max <= 36500 days, for example backoff(PT10S, 2, PT5M); was backoff(PT1S, 1.0,"
                        + " PT876024H)",
                "ttl must be at most 36500 days, was PT23999976H; for example ttl: PT1H",
                "deadline must be at most 36500 days, was PT2562047788015215H30M7S; for example deadline: PT2H");
        InvalidJobException thrown = catchThrowableOfType(
                InvalidJobException.class,
                () -> Job.fromJson(
                        "{\"name\": \"mnist\", \"ttl\": \"999999d\", \"roles\": {\"master\": {}, \"worker\": {}}}"));
        assertThat(thrown)
                .hasMessage("job \"mnist\": ttl must be at most 36500 days, was PT23999976H; for example ttl: PT1H");
    }

    @Test
    void both_elastic_bounds_are_given() {
        wrong(
                "roles: {master: {}, worker: {replicas: 2, elastic: {min: 1}}}",
                "roles.worker.elastic: min and max must both be given; for example {min: 1, max: 8}");
    }

    @Test
    void a_single_role_has_one_replica() {
        wrong(
                "roles: {master: {replicas: 2}, worker: {}}",
                "roles.master.replicas must be 1, was 2; a job has one master");
    }

    @Test
    void a_mistake_in_a_volume_has_its_list_index() {
        wrong(
                "defaults: {volumes: [{mountPath: data, claimName: c}]}\n" + ROLES,
                "defaults.volumes[0]: volume \"mount_path=data,claim_name=c\": mount_path must be an absolute path below"
                        + " / without \"..\" or \":\", was \"data\"; for example mount_path=/data");
    }

    @Test
    void a_key_is_given_once() {
        wrong("name: other\n" + ROLES, "name is given twice; give each key once");
        wrong(
                "roles: {master: {}, worker: {replicas: 1, replicas: 2}}",
                "roles.worker.replicas is given twice; give each key once");
    }

    @Test
    void anchors_aliases_and_tags_are_refused() {
        wrong(
                """
                defaults: &d {image: a}
                roles: {master: {image: *d}, worker: {image: !!str b}}
                """,
                "defaults must have no anchor, had &d",
                "roles.master.image must be written out, was the alias *d",
                "roles.worker.image must have no tag, had !tag:yaml.org,2002:str");
    }

    @Test
    void a_text_holds_one_document_with_a_map() {
        refused("name: a\n" + ROLES + "---\nname: b\n", "job \"a\": text must hold one document, held more");
        refused("", "job: text must hold a job, was empty; for example name: test-mnist");
        refused("# nothing\n", "job: text must hold a job, was empty; for example name: test-mnist");
        refused("- a\n", "job: text must be a map, was a list; for example name: test-mnist");
        refused("mnist\n", "job: text must be a map, was \"mnist\"; for example name: test-mnist");
    }

    @Test
    void a_tab_separates_tokens_but_does_not_indent() {
        String json =
                "{\n\t\"name\": \"mnist\",\n\t\"roles\":\t{\n\t\t\"worker\": {\n\t\t\t\"replicas\": 2\n\t\t}\n\t}\n}";

        assertThat(Job.fromYaml(json)).isEqualTo(Job.fromYaml(json.replace('\t', ' ')));
        assertThat(Job.fromYaml("name:\tmnist\t# a job\nroles: {worker:\t{replicas:\t2}}\n"))
                .isEqualTo(Job.fromYaml(json));
        refused(
                "name: mnist\nroles:\n  worker:\n\t\treplicas: 2\n",
                "job: text must be YAML, was not at line 4, column 1: while scanning for the next token; found"
                        + " character '\\t(TAB)' that cannot start any token. (Do not use \\t(TAB) for indentation)");
    }

    @Test
    void a_syntax_error_has_its_position() {
        refused(
                "name: mnist\nroles: {master: {}\n",
                "job: text must be YAML, was not at line 2, column 19: while parsing a flow mapping; expected ',' or"
                        + " '}', but got <stream end>");
        InvalidJobException thrown =
                catchThrowableOfType(InvalidJobException.class, () -> Job.fromJson("{\"name\": \"mnist\",}"));
        assertThat(thrown)
                .hasMessage(
                        "job: text must be JSON, was not at line 1, column 18: Unexpected character ('}' (code 125)):"
                                + " was expecting double-quote to start field name");
    }

    @Test
    void a_key_is_a_text() {
        for (String key : List.of("{{ .Values.n }}", "{[a]: b}")) {
            refused(
                    "name: mnist\nroles: " + key + "\n",
                    "job: text must be YAML, was not at line 2, column 10: a key must be a text, was a map, a list or an"
                            + " alias; for example name: mnist, or the output of a template");
        }
    }

    @Test
    void a_text_is_neither_too_long_nor_too_deep() {
        refused("#".repeat((1 << 20) + 1), "job: text must have at most 1048576 characters, had 1048577");
        refused(
                "name: mnist\ndefaults: " + "[".repeat(40) + "]".repeat(40),
                "job: defaults" + "[0]".repeat(20) + " must be nested at most 20 deep, was deeper");
    }

    @Test
    void numbers_are_taken_as_written() {
        wrong(
                "roles: {master: {}, worker: {replicas: 010, port: 0x10}}",
                "roles.worker.replicas must be a whole number, was the number 010; for example 4",
                "roles.worker.port must be a whole number, was the number 0x10; for example 4");
    }

    @Test
    void a_yaml_boolean_word_is_quoted_as_it_was_written() {
        refused(
                "name: no\nroles: {worker: {replicas: 1, env: {A: yes, B: Off}}}",
                "job: name must be text, was no, which YAML reads as false; for example \"no\"",
                "job: roles.worker.env.A must be text, was yes, which YAML reads as true; for example \"yes\"",
                "job: roles.worker.env.B must be text, was Off, which YAML reads as false; for example \"Off\"");
    }

    @Test
    void a_custom_resource_is_refused_with_the_method_that_reads_it() {
        refused(
                "apiVersion: kubeflow.org/v1\nkind: TFJob\nmetadata: {name: a}\nspec: {}",
                "job: text must be a job of EDL, was the TFJob of kubeflow.org/v1; dev.edl.operators.crd.kinds.CustomResources.read(text), in"
                        + " edl-operators, reads it");
        refused(
                "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nspec: {}",
                "job: text must be a job of EDL, was the TrainJob of trainer.kubeflow.org/v1alpha1; EDL does not read a"
                        + " TrainJob, whose runtime defines its pods; specify the trainer as roles, for example"
                        + " framework: pytorch, roles: {worker: {replicas: 4}}");
        refused(
                "{apiVersion: apps/v1, kind: Deployment}",
                "job: text must be a job of EDL, was the Deployment of apps/v1; for example name: test-mnist, roles:"
                        + " {worker: {replicas: 4}}");
    }
}
