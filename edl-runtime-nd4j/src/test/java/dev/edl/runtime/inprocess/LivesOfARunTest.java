package dev.edl.runtime.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.group.LocalShards;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LivesOfARunTest {
    @Test
    void a_life_contains_the_run_id_and_the_masters_term() throws Exception {
        SteppedModel model = new SteppedModel(Fixture.FEATURES);
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        model.before(step -> {
            reached.countDown();
            Waits.on(goOn);
        });
        try (InProcessExecutor executor =
                        InProcessExecutor.of(Fixture.training(model).build());
                TrainingRun run = executor.submit(Fixture.job(1, 1))) {
            Waits.on(reached);

            assertThat(((LocalShards) run.services().shards())
                            .shard(0)
                            .orElseThrow()
                            .life())
                    .isEqualTo(new ShardLife(run.plan().runId(), 1, 0));
            goOn.countDown();
            run.awaitResult(Fixture.LIMIT);
        }
    }
}
