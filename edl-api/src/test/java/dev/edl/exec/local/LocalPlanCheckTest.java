package dev.edl.exec.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.edl.Job;
import dev.edl.plan.PlanException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LocalPlanCheckTest {
    private static final String PATH = "/bin:/usr/bin";

    private static void check(Job job, LocalPlanCheck.ClusterOnlyFeature... ignored) {
        LocalExecutorBuilder options = new LocalExecutorBuilder(HostEnvironment.of("Linux", Map.of("PATH", PATH)));
        options.ignored.addAll(List.of(ignored));
        LocalPlanCheck.check(job.plan(), options);
    }

    @Test
    void a_role_without_a_command_is_refused() {
        assertThatThrownBy(() -> check(Job.named("m").tensorflow().workers(1).build()))
                .isInstanceOf(PlanException.class)
                .hasMessage(
                        "job \"m\" cannot run as local processes: worker.command is missing, and a local process has"
                                + " no image entry point; add for example .command(\"python3\", \"train.py\")");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_program_that_is_not_there_is_refused() {
        assertThatThrownBy(() -> check(Job.named("m")
                        .tensorflow()
                        .chief()
                        .command("pythn3")
                        .ps(1)
                        .command("./none")
                        .workers(1)
                        .command("/bin/sh")
                        .build()))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"m\" cannot run as local processes: chief.command starts with \"pythn3\", which is"
                        + " not an executable on the PATH /bin:/usr/bin; set the name or path of one, for example"
                        + " .command(\"/usr/bin/python3\", \"train.py\"); ps.command starts with \"./none\", which is"
                        + " not an executable; set the name or path of one, for example"
                        + " .command(\"/usr/bin/python3\", \"train.py\")");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void images_and_volumes_are_refused_unless_they_may_be_ignored() {
        Job job = Job.named("m")
                .tensorflow()
                .workers(1)
                .command("sh")
                .image("acme/mnist:1")
                .volume("mount_path=/data,claim_name=disk")
                .build();

        assertThatThrownBy(() -> check(job))
                .isInstanceOf(PlanException.class)
                .hasMessage("job \"m\" cannot run as local processes: worker.image is \"acme/mnist:1\", but local"
                        + " processes have no image and use the files of this machine; remove it, or build"
                        + " the executor with"
                        + " .ignoringImages(); worker.volumes mounts /data, but local processes have no"
                        + " mounts and use the files of this machine; remove it, or build the executor with"
                        + " .ignoringVolumes()");
        assertThatCode(() ->
                        check(job, LocalPlanCheck.ClusterOnlyFeature.IMAGE, LocalPlanCheck.ClusterOnlyFeature.VOLUME))
                .doesNotThrowAnyException();
    }

    @Test
    void windows_is_refused() {
        assertThatThrownBy(() -> HostEnvironment.of("Windows 11", Map.of()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage(
                        "jobs run as local processes on Linux and macOS, this is Windows 11: Windows has neither their"
                                + " signals nor their sessions; run this program in the Windows Subsystem for Linux");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_variable_to_inherit_is_a_name_without_a_value() {
        LocalExecutorBuilder options = new LocalExecutorBuilder(HostEnvironment.of("Linux", Map.of()));

        assertThatThrownBy(() -> options.inherit("HOME", "A=1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inherit takes the name of a variable, for example .inherit(\"CUDA_VISIBLE_DEVICES\"); was"
                        + " \"A=1\"; to set a value, use the job's env, for example .env(\"A\", \"1\")");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_variable_of_this_machine_has_a_name_and_a_value() {
        LocalExecutorBuilder options = new LocalExecutorBuilder(HostEnvironment.of("Linux", Map.of()));

        assertThat(options.env("DATA", "/data").environment).containsEntry("DATA", "/data");
        assertThatThrownBy(() -> options.env("A=1", "2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a variable needs a name without \"=\", for example .env(\"DATA\", \"/data\"); was \"A=1\"");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void the_text_of_an_executor_has_its_ports_and_jobs() {
        LocalExecutor executor = LocalExecutor.builder().ports(21000, 22000).build();

        assertThat(executor).hasToString("LocalExecutor on ports 21000 to 22000, no jobs");
        executor.close();
        assertThat(executor).hasToString("LocalExecutor on ports 21000 to 22000, closed");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void options_out_of_bounds_are_refused() {
        LocalExecutorBuilder options = new LocalExecutorBuilder(HostEnvironment.of("Linux", Map.of()));

        assertThatThrownBy(() -> options.grace(java.time.Duration.ofMillis(-1)))
                .hasMessage("grace must be from 0 to 1 day, for example Duration.ofSeconds(10); was PT-0.001S");
        assertThatThrownBy(() -> options.ports(80, 90))
                .hasMessage("ports must be from 1024 to 65535, the first one at most the last one, for example"
                        + " .ports(20000, 32000); was .ports(80, 90)");
        assertThat(options.environment).containsExactly(Map.entry("PATH", "/usr/local/bin:/usr/bin:/bin"));
    }
}
