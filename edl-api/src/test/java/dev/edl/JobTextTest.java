package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.spec.Backoff;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobTextTest {
    private static final Job FULL = Job.named("test-mnist")
            .namespace("training")
            .tensorflow()
            .runId("run-1")
            .label("team", "vision")
            .annotation("example.com/note", "two words: and a colon")
            .success(SuccessPolicy.ALL_WORKERS)
            .cleanup(CleanupPolicy.ALL)
            .ttl(Duration.ofHours(1))
            .deadline(Duration.ofMinutes(90))
            .backoff(Duration.ofSeconds(10), Duration.ofMinutes(5))
            .image("registry.example:5000/acme/mnist:1")
            .volume("mount_path=/data,claim_name=fileserver-claim")
            .chief()
            .ps(2)
            .priority(Priority.HIGH)
            .request("cpu=0.5,memory=2048Mi")
            .limit("cpu=1")
            .workers(4)
            .elastic(1, 8)
            .command("python", "train.py")
            .args("--epochs", "5")
            .env("EPOCHS", "5")
            .env("MODE", "yes")
            .env("GREETING", "hello world")
            .gpu(1)
            .priority("0.5")
            .volume(Volume.hostPath("/mnt/disk1", "/cache")
                    .type("Directory")
                    .subPath("a")
                    .readOnly(true))
            .port(2222)
            .restart(RestartPolicy.ON_FAILURE)
            .exitCodes(new ExitCodePolicy(Set.of(143, 137), Set.of(2), Set.of(75, 11)))
            .relaunchLimit(3)
            .build();

    @Test
    void yaml_is_as_written_by_hand() {
        assertThat(FULL.toYaml()).isEqualTo("""
                        name: test-mnist
                        namespace: training
                        framework: tensorflow
                        runId: run-1
                        labels:
                          team: vision
                        annotations:
                          example.com/note: "two words: and a colon"
                        success: all-workers
                        cleanup: all
                        ttl: PT1H
                        deadline: PT1H30M
                        backoff:
                          initial: PT10S
                          factor: 2
                          max: PT5M
                        defaults:
                          image: registry.example:5000/acme/mnist:1
                          volumes:
                            - mountPath: /data
                              claimName: fileserver-claim
                        roles:
                          chief: {}
                          ps:
                            replicas: 2
                            requests: cpu=500m,memory=2Gi
                            limits: cpu=1
                            priority: high
                          worker:
                            replicas: 4
                            elastic: {min: 1, max: 8}
                            command:
                              - python
                              - train.py
                            args:
                              - "--epochs"
                              - "5"
                            env:
                              EPOCHS: "5"
                              MODE: "yes"
                              GREETING: "hello world"
                            requests: nvidia.com/gpu=1
                            priority: 0.5
                            volumes:
                              - mountPath: /cache
                                hostPath: /mnt/disk1
                                type: Directory
                                subPath: a
                                readOnly: true
                            port: 2222
                            restart: on-failure
                            exitCodes:
                              free: [137, 143]
                              fatal: [2]
                              temporary: [11, 75]
                            relaunchLimit: 3
                        """);
        assertThat(Job.fromYaml(FULL.toYaml())).isEqualTo(FULL);
    }

    @Test
    void json_has_the_same_shape() {
        Job job = Job.named("mnist")
                .master()
                .workers(2)
                .elastic(1, 4)
                .priority("0.5")
                .args("say \"hi\"", "a\tb\n")
                .build();

        assertThat(job.toJson()).isEqualTo("""
                        {
                          "name": "mnist",
                          "roles": {
                            "master": {},
                            "worker": {
                              "replicas": 2,
                              "elastic": {
                                "min": 1,
                                "max": 4
                              },
                              "args": [
                                "say \\"hi\\"",
                                "a\\tb\\n"
                              ],
                              "priority": 0.5
                            }
                          }
                        }
                        """);
        assertThat(Job.fromJson(job.toJson())).isEqualTo(job);
        assertThat(Job.fromJson(FULL.toJson())).isEqualTo(FULL);
    }

    @Test
    void what_is_as_by_default_is_left_out() {
        assertThat(Job.named("mnist").master().workers(1).build().toYaml()).isEqualTo("""
                        name: mnist
                        roles:
                          master: {}
                          worker: {replicas: 1}
                        """);
    }

    @Test
    void other_ways_to_write_the_same_are_read() {
        Job job = Job.fromYaml("""
                # comments are fine
                name: mnist
                deadline: 1d2h30m5s
                ttl: 0s
                backoff: {initial: 30s}
                defaults:
                  volumes: mount_path=/data,claim_name=c;mount_path=/m,host_path=/mnt
                roles:
                  master:
                  ps:
                    requests: {cpu: 0.5, memory: 2048Mi, gpu: 1}
                    limits: {cpu: "1"}
                  worker:
                    priority: high=0.5
                    command: [python, train.py]
                    volumes:
                    - mount_path=/x,claim_name=x
                    - {mountPath: /y, claimName: y, readOnly: false}
                """);

        assertThat(job)
                .isEqualTo(Job.named("mnist")
                        .deadline(Duration.ofSeconds(26 * 3600 + 30 * 60 + 5))
                        .ttl(Duration.ZERO)
                        .backoff(new Backoff(Duration.ofSeconds(30), 1, Duration.ofSeconds(30)))
                        .volume("mount_path=/data,claim_name=c;mount_path=/m,host_path=/mnt")
                        .master()
                        .ps(1)
                        .request("cpu=500m,memory=2Gi,gpu=1")
                        .limit("cpu=1")
                        .workers(1)
                        .priority(Priority.leading(0.5))
                        .command("python", "train.py")
                        .volume(Volume.claim("x", "/x"))
                        .volume(Volume.claim("y", "/y"))
                        .build());
    }

    @Test
    void the_order_of_roles_is_kept() {
        Job job = Job.named("mnist").workers(4).master().ps(2).build();

        assertThat(Job.fromYaml(job.toYaml()).roles()).containsExactlyElementsOf(job.roles());
    }

    @Test
    void a_whole_number_may_be_written_as_a_fraction() {
        Job job = Job.fromYaml(
                "name: j\nroles: {worker: {replicas: 4.0, port: 2.222e3, requests: {cpu: 0, memory: 1e9}}}\n");

        assertThat(job)
                .isEqualTo(Job.named("j")
                        .workers(4)
                        .port(2222)
                        .request("cpu=0,memory=1G")
                        .build());
        assertThat(Job.fromJson("{\"name\":\"j\",\"roles\":{\"worker\":{\"replicas\":4.0}}}"))
                .isEqualTo(Job.named("j").workers(4).build());
    }

    @Test
    void the_framework_s_version_is_text_and_may_be_written_without_quotes() {
        Job job = Job.named("j").tensorflow("2.10").workers(2).build();

        assertThat(job.toYaml()).isEqualTo("""
                name: j
                framework: tensorflow
                frameworkVersion: "2.10"
                roles:
                  worker: {replicas: 2}
                """);
        assertThat(Job.fromYaml(job.toYaml().replace("\"2.10\"", "2.10"))).isEqualTo(job);
        assertThat(Job.fromJson(job.toJson())).isEqualTo(job);
        assertThat(job.toBuilder().build()).isEqualTo(job);
        assertThat(job.toBuilder().pytorch().build().spec().frameworkVersion()).isEmpty();
    }
}
