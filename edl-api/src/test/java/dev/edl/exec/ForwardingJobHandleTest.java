package dev.edl.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.Job;
import dev.edl.plan.JobPlan;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForwardingJobHandleTest {
    private static final JobPlan PLAN =
            Job.named("mnist").tensorflow().workers(1).build().plan();

    @Test
    void each_request_that_every_executor_supports_is_forwarded() throws InterruptedException {
        List<String> calls = new ArrayList<>();
        JobHandle job = (JobHandle) Proxy.newProxyInstance(
                JobHandle.class.getClassLoader(), new Class<?>[] {JobHandle.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName() + (arguments == null ? "" : " " + List.of(arguments)));
                    return switch (method.getName()) {
                        case "plan" -> PLAN;
                        case "whyPending" -> Optional.of("no node has room");
                        case "toString" -> "mnist, RUNNING";
                        case "events" -> List.of();
                        default -> null;
                    };
                });
        JobHandle handle = new ForwardingJobHandle(job) {
            @Override
            public void close() {}
        };

        assertThat(handle.plan()).isEqualTo(PLAN);
        assertThat(handle.whyPending("worker-0")).contains("no node has room");
        assertThat(handle.events()).isEmpty();
        assertThat(handle).hasToString("mnist, RUNNING");
        handle.status();
        handle.scale("worker", 2);
        handle.delete("worker-0");
        handle.cancel();
        handle.await(Duration.ofSeconds(1));
        handle.onEvent(event -> {});

        assertThat(calls.subList(0, 9))
                .containsExactly(
                        "plan",
                        "whyPending [worker-0]",
                        "events",
                        "toString",
                        "status",
                        "scale [worker, 2]",
                        "delete [worker-0]",
                        "cancel",
                        "await [PT1S]");
        assertThat(calls.get(9)).startsWith("onEvent ");
    }
}
