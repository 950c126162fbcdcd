package dev.edl.testkit;

import static dev.edl.testkit.EdlAssertions.assertThat;
import static dev.edl.testkit.Failures.fails;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.spec.ExitCodePolicy;
import dev.edl.spec.Priority;
import dev.edl.spec.RestartPolicy;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleAssertTest {
    private static RoleAssert role(String role) {
        return assertThat(Mnist.job()).role(role);
    }

    @Test
    void assertions_that_hold_chain() {
        role("worker")
                .hasReplicas(4)
                .isElastic(1, 8)
                .hasImage("registry.example/acme/mnist:1")
                .hasCommand("python", "train.py")
                .hasArgs("--epochs", "5")
                .hasEnv("LOG", "debug")
                .doesNotHaveEnv("WORKER_ID")
                .hasRequests("gpu=1")
                .hasRequest("gpu", "1")
                .hasLimits("gpu=1")
                .hasPriority("low")
                .hasPriority(Priority.LOW)
                .hasNoVolumes();
        role("ps")
                .isNotElastic()
                .hasEnv("LOG", "info")
                .hasRequest("memory", "4096Mi")
                .hasRequest("cpu", "2000m")
                .hasLimit("cpu", "4")
                .hasLimit("memory", "4Gi")
                .hasVolume("mount_path=/data,claim_name=files");
        assertThat(Job.named("flat").master().workers(2).build())
                .role("worker")
                .hasNoRequests()
                .hasNoPriority();
    }

    @Test
    void a_plans_role_has_its_defaults() {
        assertThat(Mnist.job().plan())
                .role("worker")
                .hasPort(3333)
                .hasRestart(RestartPolicy.ON_FAILURE)
                .hasRelaunchLimit(1)
                .isElastic(1, 8);
        fails(
                () -> assertThat(Mnist.job().plan()).role("ps").hasPort(2223),
                "plan of job \"mnist\", role ps: expected port 2223, was 2222");
        fails(
                () -> assertThat(Mnist.job().plan()).role("ps").isElastic(1, 3),
                "plan of job \"mnist\", role ps: expected elastic bounds 1..3, but it is not elastic: it has 2 replicas"
                        + " throughout");
    }

    @Test
    void replicas_and_bounds() {
        fails(() -> role("worker").hasReplicas(5), "job \"mnist\", role worker: expected replicas 5, was 4");
        fails(
                () -> role("worker").isElastic(1, 9),
                "job \"mnist\", role worker: expected elastic bounds 1..9, was 1..8");
        fails(() -> role("worker").isNotElastic(), "job \"mnist\", role worker: expected no elastic bounds, was 1..8");
        fails(
                () -> role("ps").isElastic(1, 2),
                "job \"mnist\", role ps: expected elastic bounds 1..2, but it is not elastic: it has 2 replicas"
                        + " throughout");
    }

    @Test
    void image_command_and_arguments() {
        fails(
                () -> role("ps").hasImage("mnist:2"),
                "job \"mnist\", role ps: expected image \"mnist:2\", was \"registry.example/acme/mnist:1\"");
        fails(
                () -> role("worker").hasCommand("python"),
                "job \"mnist\", role worker: expected command \"python\", was \"python\", \"train.py\"");
        fails(
                () -> role("ps").hasArgs("--epochs", "5"),
                "job \"mnist\", role ps: expected args \"--epochs\", \"5\", was none");
    }

    @Test
    void environment() {
        fails(
                () -> role("worker").hasEnv("LOG", "info"),
                "job \"mnist\", role worker: expected variable LOG=\"info\", was \"debug\"");
        fails(
                () -> role("worker").hasEnv("LOGS", "info"),
                "job \"mnist\", role worker: expected variable LOGS=\"info\", but there is no LOGS; did you mean"
                        + " \"LOG\"? There are LOG");
        fails(
                () -> role("worker").doesNotHaveEnv("LOG"),
                "job \"mnist\", role worker: expected no variable LOG, was \"debug\"");
    }

    @Test
    void resources_are_compared_by_their_amounts() {
        fails(
                () -> role("ps").hasRequests("cpu=2"),
                "job \"mnist\", role ps: expected requests cpu=2, was cpu=2,memory=4Gi");
        fails(
                () -> role("worker").hasNoRequests(),
                "job \"mnist\", role worker: expected requests none, was nvidia.com/gpu=1");
        fails(
                () -> role("ps").hasRequest("memory", "2048Mi"),
                "job \"mnist\", role ps: expected request memory=\"2Gi\", was \"4Gi\"");
        fails(
                () -> role("ps").hasRequest("gpu", "1"),
                "job \"mnist\", role ps: expected request nvidia.com/gpu=\"1\", but there is no nvidia.com/gpu; there"
                        + " are cpu, memory");
        fails(
                () -> role("ps").hasLimits("cpu=4"),
                "job \"mnist\", role ps: expected limits cpu=4, was cpu=4,memory=4Gi");
        fails(() -> role("ps").hasLimit("cpu", "2"), "job \"mnist\", role ps: expected limit cpu=\"2\", was \"4\"");
    }

    @Test
    void a_resource_that_is_none_is_the_tests_mistake() {
        assertThatThrownBy(() -> role("ps").hasRequest("memroy", "1Gi"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"memroy\" is not a resource; did you mean \"memory\"?");
    }

    @Test
    void priority() {
        fails(() -> role("worker").hasPriority("0.5"), "job \"mnist\", role worker: expected priority 0.5, was low");
        fails(() -> role("worker").hasNoPriority(), "job \"mnist\", role worker: expected no priority, was low");
        fails(
                () -> assertThat(Job.named("flat").master().workers(2).build())
                        .role("worker")
                        .hasPriority("low"),
                "job \"flat\", role worker: expected priority low, but there is none");
    }

    @Test
    void volumes() {
        fails(
                () -> role("ps").hasVolume("mount_path=/cache,claim_name=files"),
                "job \"mnist\", role ps: expected volume mount_path=/cache,claim_name=files, volumes are"
                        + " mount_path=/data,claim_name=files");
        fails(
                () -> role("worker").hasVolume("mount_path=/data,claim_name=files"),
                "job \"mnist\", role worker: expected volume mount_path=/data,claim_name=files, volumes are none");
        fails(
                () -> role("ps").hasNoVolumes(),
                "job \"mnist\", role ps: expected volumes none, was mount_path=/data,claim_name=files");
    }

    @Test
    void port_restart_and_relaunches() {
        fails(() -> role("ps").hasPort(2222), "job \"mnist\", role ps: expected port 2222, but there is none");
        fails(
                () -> role("ps").hasRestart(RestartPolicy.NEVER),
                "job \"mnist\", role ps: expected restart policy NEVER, but there is none");
        fails(
                () -> role("ps").hasRelaunchLimit(3),
                "job \"mnist\", role ps: expected relaunch limit 3, but there is none");
    }

    @Test
    void exit_codes() {
        Job job = Mnist.builder()
                .exitCodes(new ExitCodePolicy(Set.of(143, 137), Set.of(), Set.of(75, 11)))
                .build();
        assertThat(job)
                .role("worker")
                .hasFreeExitCodes(137, 143)
                .hasFatalExitCodes()
                .hasTemporaryExitCodes(11, 75);
        assertThat(Mnist.job().plan())
                .role("worker")
                .hasFreeExitCodes(137)
                .hasFatalExitCodes(70)
                .hasTemporaryExitCodes(75, 143);
        fails(
                () -> assertThat(job).role("worker").hasFreeExitCodes(137),
                "job \"mnist\", role worker: expected free exit codes 137, was 137, 143");
        fails(
                () -> assertThat(job).role("worker").hasFatalExitCodes(1),
                "job \"mnist\", role worker: expected fatal exit codes 1, was none");
        fails(
                () -> assertThat(job).role("worker").hasTemporaryExitCodes(75),
                "job \"mnist\", role worker: expected temporary exit codes 75, was 11, 75");
        fails(
                () -> role("worker").hasFreeExitCodes(137),
                "job \"mnist\", role worker: expected free exit codes 137, but there is none");
    }
}
