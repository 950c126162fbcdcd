package dev.edl.operators.crd.et;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.status.ObservedPhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ScaleOutTest {
    private static final String TIMEOUT = "scaleout job ScaleOut:default/it execution timeout";

    private static ScaleRequest count(int count) {
        return ScaleRequest.out(ScaleTrial.JOB, count).timeout(Duration.ofMinutes(5));
    }

    // D-04
    @Test
    void d_04_new_workers_that_do_not_all_run_in_time_are_removed_and_no_hosts_written() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(2)).decide();
        trial.worker("w2", ObservedPhase.RUNNING, false);

        trial.after(Duration.ofSeconds(299)).decide();
        assertThat(trial.state()).isEqualTo("SCALING [w2, w3]");
        assertThat(trial.wake).as("what is left of the timeout").isEqualTo(Duration.ofSeconds(1));

        trial.after(trial.wake).decide();
        assertThat(trial.log).containsExactly("create w2", "create w3", "delete w2", "delete w3");

        trial.decide();
        assertThat(trial.scaler.state().phase().word()).isEqualTo("ScaleFailed");
        assertThat(trial.scaler.state().message()).isEqualTo(TIMEOUT);
        assertThat(trial.there()).containsExactly("w0", "w1");
        assertThat(trial.hosts()).isEqualTo("w0:1,w1:1");
    }

    // D-04
    @Test
    void d_04_it_fails_only_once_the_new_workers_are_gone() {
        ScaleTrial trial = new ScaleTrial(1).asks(count(1)).decide();
        trial.after(Duration.ofMinutes(5)).decide();
        trial.worker("w1", ObservedPhase.PENDING, false);

        trial.decide();

        assertThat(trial.state()).isEqualTo("UNDOING [w1] " + TIMEOUT);
        assertThat(trial.log).containsExactly("create w1", "delete w1", "delete w1");
    }

    // D-04
    @Test
    void d_04_hosts_that_cannot_be_written_end_the_request_too() {
        ScaleTrial trial = new ScaleTrial(2).asks(count(1)).decide().run();
        trial.writable = false;

        trial.end();

        assertThat(trial.state()).isEqualTo("FAILED [w2] " + TIMEOUT);
        assertThat(trial.there()).containsExactly("w0", "w1");
        assertThat(trial.hosts()).isEqualTo("w0:1,w1:1");
    }

    // D-06
    @Test
    void d_06_hosts_are_written_once_all_new_workers_run() {
        ScaleTrial trial = new ScaleTrial(1).asks(count(2)).decide();
        assertThat(trial.log).containsExactly("create w1", "create w2");

        trial.worker("w1", ObservedPhase.RUNNING, false).decide();
        assertThat(trial.log).as("w2 does not run yet").containsExactly("create w1", "create w2");

        trial.run().decide();
        assertThat(trial.log).containsExactly("create w1", "create w2", "hosts w0:1,w1:1,w2:1");

        trial.decide();
        assertThat(trial.state()).isEqualTo("SUCCEEDED [w1, w2] added w1, w2");
        assertThat(trial.wake).isZero();
    }

    @Test
    void new_workers_have_the_slots_that_the_others_have() {
        ScaleTrial trial = new ScaleTrial(1).asks(count(1));
        trial.hosts = dev.edl.env.HorovodHosts.parse(ScaleTrial.name("w0") + ":4");

        trial.decide().run().decide();

        assertThat(trial.hosts()).isEqualTo("w0:4,w1:4");
    }

    // D-06
    @Test
    void d_06_an_index_that_is_still_a_host_is_not_used_again() {
        ScaleTrial trial = new ScaleTrial(3);
        trial.pods.remove(ScaleTrial.name("w2"));

        trial.asks(count(1)).decide();

        assertThat(trial.state()).isEqualTo("SCALING [w3]");
    }

    @Test
    void a_new_worker_that_vanishes_is_created_again() {
        ScaleTrial trial = new ScaleTrial(1).asks(count(2)).decide();
        trial.pods.remove(ScaleTrial.name("w1"));

        trial.decide();

        assertThat(trial.log).containsExactly("create w1", "create w2", "create w1");
    }

    @Test
    void a_new_worker_that_ends_before_it_is_a_host_ends_the_request_at_once() {
        ScaleTrial trial = new ScaleTrial(1).asks(count(2)).decide();

        trial.worker("w2", ObservedPhase.FAILED, false).decide().decide();

        assertThat(trial.state()).isEqualTo("FAILED [w1, w2] w2 has ended before it was a host");
        assertThat(trial.there()).containsExactly("w0");
    }

    @Test
    void c_the_greatest_number_of_workers_holds() {
        assertThat(new ScaleTrial(8).asks(count(2)).decide().state())
                .isEqualTo("FAILED [] .spec.toAdd.count would make the workers 10, which must be within elastic 1..9");
        assertThat(new ScaleTrial(8)
                        .worker("w3", ObservedPhase.FAILED, false)
                        .asks(count(2))
                        .decide()
                        .state())
                .isEqualTo("SCALING [w8, w9]");
        assertThat(new ScaleTrial(8).asks(count(Integer.MAX_VALUE)).decide().state())
                .isEqualTo(
                        "FAILED [] .spec.toAdd.count would make the workers 2147483655, which must be at most 99999");
    }

    // F.3, D.6: the operator's own example
    @Test
    void workers_0_and_1_become_worker_0_and_then_workers_0_to_2() {
        ScaleTrial trial = new ScaleTrial(2)
                .asks(ScaleRequest.in(ScaleTrial.JOB, 1))
                .decide()
                .worker("w1", ObservedPhase.RUNNING, false)
                .end();

        trial.asks(count(2)).decide().run().end();

        assertThat(trial.state()).isEqualTo("SUCCEEDED [w1, w2] added w1, w2");
        assertThat(trial.log)
                .containsExactly("hosts w0:1", "delete w1", "create w1", "create w2", "hosts w0:1,w1:1,w2:1");
    }
}
