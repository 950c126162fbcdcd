package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.status.ObservedPhase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleInTest {
    private static ScaleRequest named(String... workers) {
        return ScaleRequest.in(
                ScaleTrial.JOB, List.of(workers).stream().map(ScaleTrial::name).toList());
    }

    private static ScaleRequest count(int count) {
        return ScaleRequest.in(ScaleTrial.JOB, count);
    }

    // D-01
    @Test
    void d_01_names_that_no_worker_has_fail_and_delete_nothing() {
        ScaleTrial trial = new ScaleTrial(2).asks(named("w7")).decide();

        assertThat(trial.state())
                .isEqualTo(
                        "FAILED [] .spec.toDelete.podNames must name workers of the job, w7 is none; they are w0, w1");
        assertThat(trial.log).isEmpty();
        assertThat(trial.there()).containsExactly("w0", "w1");
    }

    // D-01
    @Test
    void d_01_one_name_that_no_worker_has_keeps_the_others() {
        ScaleTrial trial = new ScaleTrial(3).asks(named("w1", "w7", "w8")).decide();

        assertThat(trial.state())
                .isEqualTo(
                        "FAILED [] .spec.toDelete.podNames must name workers of the job, w7, w8 are none; they are w0,"
                                + " w1, w2");
        assertThat(trial.log).isEmpty();
    }

    // D-02
    @Test
    void d_02_as_many_as_there_are_fail_in_the_words_of_the_operator() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(2)).decide();

        assertThat(trial.scaler.state().phase().word()).isEqualTo("ScaleFailed");
        assertThat(trial.scaler.state().message())
                .isEqualTo(".spec.toDelete.count should be less than current replicas 2");
        assertThat(trial.log).isEmpty();
    }

    @Test
    void more_than_there_are_fail_as_well() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(Integer.MAX_VALUE)).decide();

        assertThat(trial.state()).isEqualTo("FAILED [] .spec.toDelete.count should be less than current replicas 2");
    }

    @Test
    void c_all_workers_by_name_fail_too() {
        ScaleTrial trial = new ScaleTrial(2).asks(named("w0", "w1")).decide();

        assertThat(trial.state())
                .isEqualTo("FAILED [] .spec.toDelete must leave a worker that runs, of w0, w1 it leaves none");
    }

    @Test
    void one_running_worker_stays_despite_ended_ones() {
        ScaleTrial trial = new ScaleTrial(2)
                .worker("w0", ObservedPhase.FAILED, false)
                .asks(count(1))
                .decide();

        assertThat(trial.state())
                .isEqualTo("FAILED [] .spec.toDelete must leave a worker that runs, of w0, w1 it leaves none");
    }

    @Test
    void c_the_least_number_of_workers_holds() {
        ScaleTrial trial = new ScaleTrial(3, 2, 9).asks(count(2)).decide();

        assertThat(trial.state())
                .isEqualTo("FAILED [] .spec.toDelete would make the workers 1, which must be within elastic 2..9");
    }

    // D-03
    @Test
    void d_03_a_worker_has_ended_though_another_lives_whose_name_begins_with_its_name() {
        String processes = """
                UID   PID PPID C STIME TTY   TIME     CMD
                root    1    0 0 10:00 ?     00:00:01 horovodrun -np 2 --host-discovery-script /etc/edl/discover_hosts.sh
                root   31    1 0 10:00 ?     00:00:00 ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=no \
                elastic-training-worker-10 bash -c train
                root   99    1 0 10:00 pts/0 00:00:00 grep ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=no
                """;

        assertThat(AttachedWorkers.in(processes)).containsExactly("elastic-training-worker-10");
    }

    @Test
    void processes_by_kubexec_and_by_ssh_with_a_port_count() {
        String processes = """
                1 /bin/sh -x /etc/mpi/kubexec.sh elastic-training-worker-0 orted
                2 /usr/bin/ssh -o StrictHostKeyChecking=no -p 2222 -i /root/.ssh/id_rsa elastic-training-worker-1 -p 22 cd /
                3 /usr/sbin/sshd -D elastic-training-worker-3
                4 python train.py --hosts=elastic-training-worker-4
                5 /opt/kube/kubectl exec elastic-training-worker-5 --container worker -- /bin/sh -c cd / ; env python
                """;

        assertThat(AttachedWorkers.in(processes))
                .containsExactly("elastic-training-worker-0", "elastic-training-worker-1", "elastic-training-worker-5");
        assertThat(AttachedWorkers.in("")).isEmpty();
    }

    // D-05
    @Test
    void d_05_hosts_are_written_before_a_worker_goes_and_it_goes_once_its_process_has_ended() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(1));

        trial.decide();
        assertThat(trial.log).containsExactly("hosts w0:1");
        assertThat(trial.state()).isEqualTo("SCALING [w1]");
        assertThat(trial.wake).isEqualTo(Duration.ofSeconds(5));

        trial.after(Duration.ofSeconds(5)).decide();
        assertThat(trial.log).as("its process lives").containsExactly("hosts w0:1");

        trial.worker("w1", ObservedPhase.RUNNING, false).decide();
        assertThat(trial.log).containsExactly("hosts w0:1", "delete w1");

        trial.decide();
        assertThat(trial.state()).isEqualTo("SUCCEEDED [w1] removed w1");
        assertThat(trial.there()).containsExactly("w0");
        assertThat(trial.wake).isZero();
    }

    // D-05
    @Test
    void d_05_nothing_goes_while_the_hosts_cannot_be_written() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(1));
        trial.worker("w1", ObservedPhase.RUNNING, false).writable = false;

        trial.decide().after(trial.wake).decide();

        assertThat(trial.log).isEmpty();
        assertThat(trial.there()).containsExactly("w0", "w1");
    }

    @Test
    void each_worker_goes_when_its_own_process_has_ended() {
        ScaleTrial trial = new ScaleTrial(4).asks(named("w1", "w3")).decide();

        trial.worker("w1", ObservedPhase.RUNNING, false).decide();
        assertThat(trial.log).containsExactly("hosts w0:1,w2:1", "delete w1");

        trial.worker("w3", ObservedPhase.FAILED, true).decide().decide();
        assertThat(trial.log).containsExactly("hosts w0:1,w2:1", "delete w1", "delete w3");
        assertThat(trial.state()).isEqualTo("SUCCEEDED [w1, w3] removed w1, w3");
    }

    @Test
    void the_highest_index_is_that_of_the_greatest_number() {
        ScaleTrial trial = new ScaleTrial(11, 1, 20).asks(count(2)).decide();

        assertThat(trial.state()).isEqualTo("SCALING [w9, w10]");
    }

    @Test
    void a_worker_that_has_ended_is_no_host_any_more() {
        ScaleTrial trial = new ScaleTrial(4)
                .worker("w1", ObservedPhase.FAILED, false)
                .asks(count(1))
                .decide();

        assertThat(trial.log).containsExactly("hosts w0:1,w2:1");
    }

    @Test
    void f_a_process_that_does_not_end_ends_the_request_and_its_worker_is_a_host_again() {
        ScaleTrial trial =
                new ScaleTrial(3).asks(count(2).timeout(Duration.ofSeconds(12))).decide();
        trial.worker("w2", ObservedPhase.RUNNING, false).after(trial.wake).decide();

        trial.after(trial.wake).decide();
        assertThat(trial.wake).as("what is left of the timeout").isEqualTo(Duration.ofSeconds(2));

        trial.after(trial.wake).decide();
        assertThat(trial.state()).isEqualTo("UNDOING [w1, w2] scalein job ScaleIn:default/it execution timeout");
        trial.end();
        assertThat(trial.state()).isEqualTo("FAILED [w1, w2] scalein job ScaleIn:default/it execution timeout");
        assertThat(trial.log).containsExactly("hosts w0:1", "delete w2", "hosts w0:1,w1:1");
    }

    @Test
    void a_failed_rollback_ends_after_a_second_timeout() {
        ScaleTrial trial = new ScaleTrial(3).asks(count(1)).decide();
        trial.writable = false;

        trial.end();

        assertThat(trial.state()).isEqualTo("FAILED [w2] scalein job ScaleIn:default/it execution timeout");
        assertThat(trial.now).isBetween(ScaleTrial.START.plusSeconds(120), ScaleTrial.START.plusSeconds(125));
    }
}
