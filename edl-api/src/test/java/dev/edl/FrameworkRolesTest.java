package dev.edl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.edl.spec.SuccessPolicy;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Allowed, required and forbidden roles of each framework. */
class FrameworkRolesTest {
    private static void refused(JobBuilder builder, String... mistakes) {
        InvalidJobException thrown = catchThrowableOfType(InvalidJobException.class, builder::build);
        assertThat(thrown).as("the job must be refused").isNotNull();
        assertThat(thrown.problems())
                .containsExactlyElementsOf(Arrays.stream(mistakes)
                        .map(mistake -> "job \"mnist\": " + mistake)
                        .toList());
    }

    @Test
    void roles_go_with_their_framework() {
        refused(
                Job.named("mnist").master().workers(4).scheduler().chief(c -> {}),
                "scheduler is not a role of elasticdl, whose roles are master, ps, worker",
                "chief is not a role of elasticdl, whose roles are master, ps, worker",
                "chief and master both lead the training; keep one of them");
        refused(
                Job.named("mnist").mxnet().chief().workers(1),
                "chief is not a role of mxnet, whose roles are ps, worker, scheduler, server");
        refused(
                Job.named("mnist").horovod().ps(1).launcher().workers(1),
                "ps is not a role of horovod, whose roles are worker, launcher; its workers reduce gradients among"
                        + " themselves, without parameter servers: leave it out");
        refused(
                Job.named("mnist").pytorch().ps(1).workers(1).evaluator(),
                "ps is not a role of pytorch, whose roles are master, worker; its workers reduce gradients among"
                        + " themselves, without parameter servers: leave it out",
                "evaluator is not a role of pytorch, whose roles are master, worker");
        refused(
                Job.named("mnist").tensorflow().launcher().workers(1),
                "launcher is not a role of tensorflow, whose roles are master, chief, ps, worker, evaluator");
    }

    @Test
    void an_elasticdl_job_has_workers() {
        refused(Job.named("mnist").ps(1), "worker is missing, which trains in an elasticdl job; add .workers(4)");
        refused(Job.named("mnist").master(), "worker is missing, which trains in an elasticdl job; add .workers(4)");
    }

    @Test
    void one_role_leads() {
        refused(
                Job.named("mnist").tensorflow().master().chief().workers(1),
                "chief and master both lead the training; keep one of them");
    }

    @Test
    void servers_of_mxnet_are_given_once() {
        refused(
                Job.named("mnist").servers(2).ps(2).workers(2).mxnet(),
                "ps and server both are the parameter servers of an mxnet job; keep one of them");
        refused(
                Job.named("mnist").mxnet().servers(2).ps(2).workers(2),
                "server is given twice; specify each role once, followed by its settings");
    }

    @Test
    void the_launcher_of_horovod_has_a_command_that_nothing_implies() {
        refused(
                Job.named("mnist").horovod().workers(2),
                "launcher is missing, which starts the processes of a horovod job on its workers, by a command that no other"
                        + " replica runs; add .launcher().command(\"sh\", \"-c\", \"exec horovodrun $EDL_HOROVODRUN python"
                        + " train.py\")");
    }

    @Test
    void a_job_has_workers_or_a_leader_that_can_succeed() {
        refused(Job.named("mnist").tensorflow().ps(2), "success needs workers that can succeed; add .workers(4)");
        refused(
                Job.named("mnist").tensorflow().chief().success(SuccessPolicy.ALL_WORKERS),
                "success needs workers that can succeed, or leader; add .workers(4)");
        assertThat(Job.named("mnist").tensorflow().chief().build().roles()).hasSize(1);
    }
}
