package dev.edl.operators.crd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.JobBuilder;
import dev.edl.operators.crd.et.TrainingJobs;
import dev.edl.operators.crd.kubeflow.KubeflowMxJobs;
import dev.edl.operators.crd.kubeflow.KubeflowTfJobs;
import dev.edl.operators.crd.kubeflow.MpiJobVersion;
import dev.edl.operators.crd.kubeflow.MpiJobs;
import dev.edl.operators.crd.kubeflow.PyTorchJobs;
import dev.edl.operators.crd.mxjob.MxJobs;
import dev.edl.operators.crd.tfjob.TfJobRelease;
import dev.edl.operators.crd.tfjob.TfJobs;
import dev.edl.spec.CleanupPolicy;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Framework;
import dev.edl.spec.JobSpec;
import dev.edl.spec.Priority;
import dev.edl.spec.Resources;
import dev.edl.spec.RestartPolicy;
import dev.edl.spec.RoleSpec;
import dev.edl.spec.RoleTemplate;
import dev.edl.spec.RunPolicy;
import dev.edl.spec.SuccessPolicy;
import dev.edl.spec.Volume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each setting of a job, alone, in each custom resource, is read back or reported as lost. */
class NothingIsDroppedTest {
    /** For these the resource gets the nearest value, or the whole with a warning; the rest leaves no trace. */
    private static final Set<String> NEARLY = Set.of("ttl", "worker.elastic", "worker.restart", "worker.env");

    private record Kind(
            String name, Job base, Function<Job, ResourceWriteResult> write, Function<String, JobReadResult> read) {
        @Override
        public String toString() {
            return name;
        }
    }

    private record Setting(String path, Consumer<JobBuilder> said) {
        @Override
        public String toString() {
            return path;
        }
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        for (TfJobRelease release : TfJobRelease.values()) {
            CleanupPolicy cleanup = release == TfJobRelease.KUBEFLOW ? CleanupPolicy.ALL : CleanupPolicy.NONE;
            Job base = job().tensorflow()
                    .cleanup(cleanup)
                    .master()
                    .ps(2)
                    .workers(3)
                    .build();
            kinds.add(new Kind("TfJob " + release, base, job -> TfJobs.write(job, release), TfJobs::read));
        }
        kinds.add(new Kind(
                "TFJob",
                job().tensorflow().chief().evaluator().workers(3).build(),
                KubeflowTfJobs::write,
                KubeflowTfJobs::read));
        kinds.add(new Kind(
                "PyTorchJob", job().pytorch().master().workers(3).build(), PyTorchJobs::write, PyTorchJobs::read));
        kinds.add(new Kind(
                "MXJob",
                job().mxnet().scheduler().servers(2).workers(3).build(),
                KubeflowMxJobs::write,
                KubeflowMxJobs::read));
        for (MpiJobVersion version : MpiJobVersion.values()) {
            Job base = job().horovod().launcher().workers(3).build();
            kinds.add(new Kind("MPIJob " + version, base, job -> MpiJobs.write(job, version), MpiJobs::read));
        }
        kinds.add(new Kind(
                "MxJob",
                job().mxnet()
                        .cleanup(CleanupPolicy.NONE)
                        .scheduler()
                        .servers(2)
                        .workers(3)
                        .build(),
                MxJobs::write,
                MxJobs::read));
        kinds.add(new Kind(
                "TrainingJob",
                job().horovod()
                        .launcher(launcher -> launcher.restart(RestartPolicy.NEVER))
                        .workers(3)
                        .build(),
                TrainingJobs::write,
                TrainingJobs::read));
        return kinds;
    }

    private static JobBuilder job() {
        return Job.named("base").image("a:1");
    }

    private static List<Setting> settings() {
        List<Setting> settings = new ArrayList<>(List.of(
                new Setting("name", job -> job.name("other")),
                new Setting("namespace", job -> job.namespace("team-a")),
                new Setting("runId", job -> job.runId("r1")),
                new Setting("frameworkVersion", job -> job.frameworkVersion("1.9")),
                new Setting("labels", job -> job.label("example.com/team", "vision")),
                new Setting("annotations", job -> job.annotation("note", "a: b")),
                new Setting("ttl", job -> job.ttl(Duration.ofMinutes(90))),
                new Setting("ttl", job -> job.ttl(Duration.ofMillis(1))),
                new Setting("ttl", job -> job.ttl(Duration.ofDays(36_500))),
                new Setting("deadline", job -> job.deadline(Duration.ofMinutes(90))),
                new Setting("backoff", job -> job.backoff(Duration.ofSeconds(1), Duration.ofSeconds(9))),
                new Setting("elastic", job -> job.workers().elastic(1, 8)),
                new Setting("image", job -> job.workers().image("b:1")),
                new Setting("command", job -> job.workers().command("run", "$(A)")),
                new Setting("args", job -> job.workers().args("--a", "1e3")),
                new Setting("env", job -> job.workers().env("Z", "yes").env("A", "\n")),
                new Setting("requests", job -> job.workers().request("cpu=0.5,memory=1500M")),
                new Setting("limits", job -> job.workers().cpu(1).limit("cpu=2,disk=1Gi")),
                new Setting("requests", job -> job.workers().gpu("amd.com/gpu", 2)),
                new Setting("priority", job -> job.workers().priority("gold")),
                new Setting("priority", job -> job.workers().priority(Priority.leading(0.5))),
                new Setting(
                        "volumes",
                        job -> job.workers().volume(Volume.claim("c.d", "/x").subPath("y"))),
                new Setting(
                        "volumes",
                        job -> job.volume(
                                Volume.hostPath("/a b", "/x").type("Socket").readOnly(true))),
                new Setting("volumes", job -> job.workers().volume(Volume.image("a.example/b@sha256:1f", "/i"))),
                new Setting("port", job -> job.workers().port(1234)),
                new Setting("exitCodes", job -> job.workers().exitCodes(ExitCodePolicy.ELASTICDL)),
                new Setting("relaunchLimit", job -> job.workers().relaunchLimit(4))));
        for (RestartPolicy restart : RestartPolicy.values()) {
            settings.add(new Setting("worker.restart", job -> job.workers().restart(restart)));
        }
        for (CleanupPolicy cleanup : CleanupPolicy.values()) {
            settings.add(new Setting("cleanup", job -> job.cleanup(cleanup)));
        }
        for (SuccessPolicy success : SuccessPolicy.values()) {
            settings.add(new Setting("success", job -> job.success(success)));
        }
        return settings;
    }

    static Stream<Arguments> pairs() {
        return kinds().stream().flatMap(kind -> settings().stream().map(setting -> Arguments.of(kind, setting)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void a_setting_is_read_back_or_reported_as_lost(Object given, Object said) {
        Kind kind = (Kind) given;
        Setting setting = (Setting) said;
        JobBuilder builder = kind.base().toBuilder();
        setting.said().accept(builder);
        Job job = builder.build();

        ResourceWriteResult written = kind.write().apply(job);
        JobReadResult reading = kind.read().apply(written.toYaml());

        assertThat(reading.losses())
                .as("losses of what was written without one")
                .hasSizeLessThanOrEqualTo(written.losses().size());
        if (written.losses().stream().noneMatch(loss -> loss.path().endsWith(setting.path()))) {
            assertThat(normal(reading.job())).isEqualTo(normal(job));
        }
    }

    /**
     * For each kind, many settings at once: all but the reported losses are read back, and a second round trip changes
     * nothing.
     */
    @ParameterizedTest
    @MethodSource("kinds")
    void any_job_is_read_as_it_was_written_up_to_the_losses(Object given) {
        Kind kind = (Kind) given;
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            List<Setting> said = settings().stream()
                    .filter(setting -> random.nextInt(3) == 0)
                    .collect(Collectors.toCollection(ArrayList::new));
            Collections.shuffle(said, random);
            // A job has the last of two values of one setting, and cannot have two volumes at one path.
            Set<String> paths = new HashSet<>();
            said.removeIf(setting -> !paths.add(setting.path()));
            // build() rejects an elastic job with an MXNet version.
            said.removeIf(setting -> setting.path().equals("elastic")
                    && kind.base().framework() == Framework.MXNET
                    && paths.contains("frameworkVersion"));
            Job job = job(kind, said);

            ResourceWriteResult written = kind.write().apply(job);
            JobReadResult reading = kind.read().apply(written.toYaml());
            List<String> lost =
                    written.losses().stream().map(ConversionLoss::path).toList();
            List<Setting> kept = said.stream()
                    .filter(setting -> lost.stream().noneMatch(path -> path.endsWith(setting.path())))
                    .toList();

            if (reading.losses().isEmpty()) {
                assertThat(kind.write().apply(reading.job()).toYaml())
                        .as("%s, seed %d, read and written again", kind, seed)
                        .isEqualTo(written.toYaml());
            }
            if (said.equals(kept) || lost.stream().noneMatch(NEARLY::contains)) {
                assertThat(normal(reading.job()))
                        .as("%s, seed %d, %s, without %s", kind, seed, kept, lost)
                        .isEqualTo(normal(job(kind, kept)));
            }
        }
    }

    private static Job job(Kind kind, List<Setting> said) {
        Job job = kind.base();
        for (Setting setting : said) {
            JobBuilder builder = job.toBuilder();
            setting.said().accept(builder);
            job = builder.build();
        }
        return job;
    }

    /** Every setting in its role; defaults are omitted, as in a job that was read. */
    private static JobSpec normal(Job job) {
        JobSpec.Builder spec = JobSpec.builder().from(job.spec()).defaults(RoleTemplate.empty());
        List<RoleSpec> roles = new ArrayList<>();
        for (RoleSpec role : job.roles()) {
            RoleTemplate template = job.spec().effective(role);
            Optional<RestartPolicy> restart = template.restart().filter(policy -> policy != RestartPolicy.ON_FAILURE);
            Map<String, String> limits =
                    new LinkedHashMap<>(template.effectiveLimits().amounts());
            template.requests().ifPresent(requests -> requests.amounts().forEach(limits::remove));
            roles.add(RoleSpec.builder()
                    .from(role)
                    .template(RoleTemplate.builder()
                            .from(template)
                            .restart(restart)
                            .limits(limits.isEmpty() ? Optional.empty() : Optional.of(new Resources(limits)))
                            .build())
                    .build());
        }
        boolean led = Set.of("master", "chief", "launcher")
                .contains(job.roles().get(0).type().id());
        SuccessPolicy ordinary = led ? SuccessPolicy.LEADER : SuccessPolicy.ALL_WORKERS;
        return spec.roles(roles)
                .policy(RunPolicy.builder()
                        .from(job.spec().policy())
                        .success(job.spec().policy().success().filter(policy -> policy != ordinary))
                        .build())
                .build();
    }
}
