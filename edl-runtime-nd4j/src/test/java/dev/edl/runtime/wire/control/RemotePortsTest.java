package dev.edl.runtime.wire.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.edl.runtime.engine.ports.FailureKind;
import dev.edl.runtime.engine.ports.SavedShard;
import dev.edl.runtime.engine.ports.ShardAssignment;
import dev.edl.runtime.engine.ports.TaskFailure;
import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.DecisionRecord;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.wire.control.internal.MessageJson;
import dev.edl.runtime.wire.control.internal.RpcInterface;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every method of a port can be a request: its name is unique, and a message can carry its types. */
class RemotePortsTest {
    /** Types that travel over a bulk connection, in a batch of reports, or not at all. */
    private static final Set<String> NO_MESSAGE = Set.of(
            "ShardSnapshot",
            "ShardPushes",
            "PinnedShard",
            "ModelSnapshot",
            "SnapshotTransfer",
            "LongConsumer",
            "float[]");

    private static final Map<Class<?>, List<Object>> VALUES = Map.ofEntries(
            Map.entry(int.class, List.of(7)),
            Map.entry(long.class, List.of(Long.MAX_VALUE, -1L)),
            Map.entry(float.class, List.of(0.1f)),
            Map.entry(boolean.class, List.of(true, false)),
            Map.entry(String.class, List.of("ps-1 \"ü\"\n", "")),
            Map.entry(Duration.class, List.of(Duration.ZERO, Duration.ofSeconds(5, 1))),
            Map.entry(List.class, List.of(List.of(), List.of("worker-1", "worker-0"))),
            Map.entry(Map.class, List.of(Map.of(), Map.of("worker-1", Long.MAX_VALUE))),
            Map.entry(NavigableSet.class, List.of(new TreeSet<>(List.of(3L, 1L << 40)))),
            Map.entry(double[][].class, List.of((Object) new double[][] {{0.1, 1e300}, {}})),
            Map.entry(Task.class, List.of(NotedMaster.task(1, 4))),
            Map.entry(TaskFailure.class, List.of(new TaskFailure(FailureKind.DATA, "cannot read"))),
            Map.entry(Term.class, List.of(new Term(2, "master.2"))),
            Map.entry(DecisionRecord.class, List.of(new DecisionRecord(2, 7, new byte[] {1, -1}))),
            Map.entry(ShardLife.class, List.of(new ShardLife("run-1", 1, 2))),
            Map.entry(
                    Assignment.class,
                    List.of(
                            new Assignment.Lease(NotedMaster.task(1, 4)),
                            new Assignment.Wait("2 tasks are with worker-1"),
                            new Assignment.Finished(),
                            new Assignment.Failed("failed"))),
            Map.entry(
                    ShardAssignment.class,
                    List.of(new ShardAssignment(new Term(1, "m"), new ShardLife("run-1", 1, 2), 8, null))));

    private static Stream<Method> methods() {
        return Stream.of(RemotePorts.MASTER, RemotePorts.REGISTRATION, RemotePorts.SHARD)
                .flatMap(port -> port.methods().values().stream());
    }

    private static void isCarried(Type type, Class<?> raw) {
        if (NO_MESSAGE.contains(raw.getSimpleName())) {
            return;
        }
        List<Object> values = VALUES.get(raw);
        assertThat(values).as("values of " + type).isNotNull();
        for (Object value : Objects.requireNonNull(values)) {
            JsonNode sent = MessageJson.tree(value);
            Object read = MessageJson.value(sent, type);
            assertThat(MessageJson.tree(read)).as(type.toString()).isEqualTo(sent);
            assertThat(read).as(type.toString()).usingRecursiveComparison().isEqualTo(value);
        }
    }

    @ParameterizedTest
    @MethodSource("methods")
    void messages_carry_arguments_and_results(Method method) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            isCarried(method.getGenericParameterTypes()[i], method.getParameterTypes()[i]);
        }
        if (method.getReturnType() == void.class || method.getReturnType() == Optional.class) {
            return;
        }
        isCarried(method.getGenericReturnType(), method.getReturnType());
    }

    @Test
    void optional_result_is_null_if_it_is_empty() throws Exception {
        Method decided = Objects.requireNonNull(RemotePorts.SHARD.methods().get("decided"));
        DecisionRecord record = new DecisionRecord(2, 7, new byte[] {1, -1});

        assertThat(RpcInterface.result(decided, MessageJson.tree(Optional.empty())))
                .isEqualTo(Optional.empty());
        assertThat(RpcInterface.result(decided, MessageJson.tree(Optional.of(record))))
                .usingRecursiveComparison()
                .isEqualTo(Optional.of(record));
    }

    @Test
    void saved_shard_keeps_its_name_alone() {
        SavedShard saved = Objects.requireNonNull(MessageJson.value(
                        MessageJson.tree(new ShardAssignment(
                                new Term(1, "m"), new ShardLife("run-1", 1, 2), 8, new SavedShard() {
                                    @Override
                                    public dev.edl.runtime.ps.ShardSnapshot read() {
                                        throw new IllegalStateException("not here");
                                    }

                                    @Override
                                    public String toString() {
                                        return "version 500";
                                    }
                                })),
                        ShardAssignment.class)
                .saved());

        assertThat(saved).hasToString("version 500");
        assertThatThrownBy(saved::read).hasMessage("version 500 is at the master");
    }

    /** A port with two methods of one name. */
    interface Overloaded {
        void call(int a);

        void call(long a);
    }

    @Test
    void overloads_are_refused() {
        assertThatThrownBy(() -> RpcInterface.of(Overloaded.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("has two methods call; a remote interface needs a name for each");
    }

    /** A port to call. */
    public interface Small {
        int add(int a, int b) throws InterruptedException;

        void listen(LongConsumer listener);

        default int twice(int a) throws InterruptedException {
            return add(a, a);
        }
    }

    private static final class Adder implements Small {
        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public void listen(LongConsumer listener) {
            listener.accept(7);
        }
    }

    private static final RpcInterface<Small> SMALL = RpcInterface.of(Small.class);

    private static Object called(String name, Object... arguments) throws InterruptedException {
        return String.valueOf(SMALL.invoke(new Adder(), name, RpcInterface.sent(arguments), version -> {}));
    }

    @Test
    void stub_and_target_agree() throws InterruptedException {
        List<Long> heard = new ArrayList<>();
        Small stub = SMALL.stub(
                "the adder",
                (method, arguments) -> RpcInterface.result(
                        method,
                        MessageJson.tree(SMALL.invoke(
                                new Adder(), method.getName(), RpcInterface.sent(arguments), heard::add))));
        stub.listen(version -> {});

        assertThat(stub.add(1, 2)).isEqualTo(3);
        assertThat(stub.twice(4)).isEqualTo(8);
        assertThat(heard).containsExactly(7L);
        assertThat(stub).hasToString("the adder").isEqualTo(stub).isNotEqualTo("the adder");
        assertThat(Arrays.asList(stub)).contains(stub);
    }

    @Test
    void wrong_request_is_told_in_words() {
        assertThatThrownBy(() -> called("subtract", 1, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"subtract\" is not a request of a Small");
        assertThatThrownBy(() -> called("add", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("add takes a list of 2 arguments");
        assertThatThrownBy(() -> called("add", 1, (LongConsumer) version -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("add: argument 2 is missing");
        assertThatThrownBy(() -> called("add", 1, "two"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("add: argument 2: a message has no int: ");
    }
}
