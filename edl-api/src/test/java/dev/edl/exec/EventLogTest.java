package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.status.JobEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private final EventLog log = new EventLog();

    private static JobEvent running(int second) {
        return JobEvent.job(Instant.ofEpochSecond(second), JobEvent.Type.JOB_RUNNING, "runs");
    }

    @Test
    void events_are_a_list_that_prints_a_line_each() {
        log.publish(running(1));
        log.publish(running(2));

        assertThat(log.all()).containsExactly(running(1), running(2)).isEqualTo(List.of(running(1), running(2)));
        assertThat(log.all())
                .hasToString("1970-01-01T00:00:01Z JOB_RUNNING runs\n1970-01-01T00:00:02Z JOB_RUNNING runs");
    }

    @Test
    void no_events_say_so() {
        assertThat(log.all()).isEmpty();
        assertThat(log.all().toString()).isEqualTo("no events");
    }

    @Test
    void events_that_were_asked_for_do_not_change() {
        List<JobEvent> before = log.all();
        log.publish(running(1));

        assertThat(before).isEmpty();
    }

    @Test
    void a_subscription_prints_as_what_it_is_and_ends_once() {
        List<JobEvent> heard = new ArrayList<>();
        Subscription subscription = log.listen(heard::add);
        log.publish(running(1));
        subscription.close();
        subscription.close();
        log.publish(running(2));

        assertThat(subscription).hasToString("a listener of the job's events");
        assertThat(heard).containsExactly(running(1));
    }
}
