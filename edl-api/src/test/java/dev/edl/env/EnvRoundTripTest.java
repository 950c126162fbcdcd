package dev.edl.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.edl.env.HorovodHosts.Host;
import dev.edl.env.TorchrunEnv.Master;
import dev.edl.env.TorchrunEnv.Rendezvous;
import dev.edl.spec.ElasticBounds;
import dev.edl.spec.RoleType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random values survive a round trip through their text, and so do texts. */
class EnvRoundTripTest {
    private static final int SEEDS = 500;
    private static final List<RoleType> ROLES = List.of(RoleType.values());

    @Test
    void tf_config() {
        for (long seed = 0; seed < SEEDS; seed++) {
            TfConfig config = new Values(seed).tfConfig();
            TfConfig read = TfConfig.parse(config.json());

            assertThat(read).as("seed %d", seed).isEqualTo(config).hasSameHashCodeAs(config);
            assertThat(read.cluster()).as("seed %d", seed).isEqualTo(config.cluster());
            assertThat(read.task()).as("seed %d", seed).isEqualTo(config.task());
            assertThat(read.isSparse()).as("seed %d", seed).isEqualTo(config.isSparse());
        }
    }

    @Test
    void mx_config() {
        for (long seed = 0; seed < SEEDS; seed++) {
            MxConfig config = new Values(seed).mxConfig();

            assertThat(MxConfig.parse(config.json())).as("seed %d", seed).isEqualTo(config);
        }
    }

    @Test
    void dmlc() {
        for (long seed = 0; seed < SEEDS; seed++) {
            DmlcEnv env = new Values(seed).dmlc();

            assertThat(DmlcEnv.parse(env.variables())).as("seed %d", seed).isEqualTo(env);
        }
    }

    @Test
    void torchrun() {
        for (long seed = 0; seed < SEEDS; seed++) {
            TorchrunEnv env = new Values(seed).torchrun();

            assertThat(TorchrunEnv.parse(env.variables())).as("seed %d", seed).isEqualTo(env);
        }
    }

    @Test
    void elasticdl() {
        for (long seed = 0; seed < SEEDS; seed++) {
            ElasticDlEnv env = new Values(seed).elasticDl();

            assertThat(ElasticDlEnv.parse(env.variables())).as("seed %d", seed).isEqualTo(env);
        }
    }

    @Test
    void horovod() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Values values = new Values(seed);
            HorovodHosts hosts = values.hosts();
            HorovodElastic elastic = values.horovodElastic();

            for (String text : List.of(hosts.hostfile(), hosts.lines(), hosts.argument(), hosts.script())) {
                assertThat(HorovodHosts.parse(text)).as("seed %d", seed).isEqualTo(hosts);
            }
            assertThat(HorovodElastic.parse(elastic.arguments()))
                    .as("seed %d", seed)
                    .isEqualTo(elastic);
        }
    }

    /** Values of one seed. */
    private static final class Values {
        private final Random random;

        Values(long seed) {
            random = new Random(seed);
        }

        TfConfig tfConfig() {
            Map<String, TfTasks> cluster = new LinkedHashMap<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                cluster.put(word(), tasks());
            }
            TfConfig config = TfConfig.of(cluster);
            config = random.nextBoolean() ? config.task(word(), number()) : config;
            // A task that the cluster does not have is rejected.
            TfTasks own = config.task().map(task -> cluster.get(task.type())).orElse(null);
            if (own != null && !config.isSparse()) {
                config = own.addresses().isEmpty()
                        ? config.task("beside", number())
                        : config.task(
                                config.task().orElseThrow().type(),
                                random.nextInt(own.addresses().size()));
            }
            config = random.nextBoolean() ? config.environment(word()) : config;
            return random.nextInt(5) == 0 ? config.underSparseCluster() : config;
        }

        private TfTasks tasks() {
            Map<Integer, String> sparse = new TreeMap<>();
            List<String> list = addresses();
            list.forEach(address -> sparse.put(number(), address));
            return switch (random.nextInt(5)) {
                case 0 -> TfTasks.nothing();
                case 1, 2 -> TfTasks.sparse(sparse);
                default -> TfTasks.list(list);
            };
        }

        MxConfig mxConfig() {
            SortedMap<String, List<MxConfig.Node>> cluster = new TreeMap<>();
            SortedMap<String, String> labels = new TreeMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                cluster.put(word(), few(() -> new MxConfig.Node(host(), random.nextInt(65536), others())));
                labels.put(word(), noise());
            }
            return new MxConfig(cluster, labels, new Task(word(), number(), others()), others());
        }

        private SortedMap<String, String> others() {
            SortedMap<String, String> others = new TreeMap<>();
            if (random.nextBoolean()) {
                others.put("other" + word(), "[" + number() + "]");
            }
            return others;
        }

        DmlcEnv dmlc() {
            return new DmlcEnv(
                    random.nextInt(4) == 0 ? "" : host(),
                    random.nextInt(65536),
                    number(),
                    number(),
                    random.nextBoolean() ? "worker" : "tunertracker",
                    random.nextBoolean(),
                    maybe(this::host),
                    maybeNumber());
        }

        TorchrunEnv torchrun() {
            int min = 1 + random.nextInt(9);
            Optional<Rendezvous> rendezvous = maybe(() -> new Rendezvous(
                    random.nextBoolean() ? "c10d" : "etcd-v2", address(), maybe(this::word), settings()));
            return new TorchrunEnv(
                    new ElasticBounds(min, rendezvous.isPresent() ? min + random.nextInt(9) : min),
                    random.nextBoolean() ? "auto" : Integer.toString(1 + random.nextInt(99)),
                    maybe(() -> new Master(host(), random.nextInt(65536), number())),
                    rendezvous,
                    maybeNumber());
        }

        private SortedMap<String, String> settings() {
            SortedMap<String, String> settings = new TreeMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                settings.put(word(), word());
            }
            return settings;
        }

        ElasticDlEnv elasticDl() {
            return new ElasticDlEnv(
                    word(),
                    word(),
                    ROLES.get(random.nextInt(ROLES.size())),
                    number(),
                    maybe(this::address),
                    addresses(),
                    random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(99)) : OptionalInt.empty(),
                    maybeNumber());
        }

        HorovodHosts hosts() {
            return new HorovodHosts(IntStream.range(0, random.nextInt(5))
                    .mapToObj(i -> new Host("h" + i + host(), 1 + random.nextInt(9)))
                    .toList());
        }

        HorovodElastic horovodElastic() {
            int min = 1 + random.nextInt(9);
            int max = min + random.nextInt(9);
            return new HorovodElastic(
                    min + random.nextInt(max - min + 1),
                    new ElasticBounds(min, max),
                    "/" + word(),
                    OptionalInt.of(1 + random.nextInt(9)),
                    random.nextBoolean() ? OptionalInt.of(1 + random.nextInt(900)) : OptionalInt.empty(),
                    maybeNumber());
        }

        private List<String> addresses() {
            return few(this::address);
        }

        private <T> List<T> few(Supplier<T> one) {
            List<T> all = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                all.add(one.get());
            }
            return all;
        }

        private String address() {
            return (random.nextInt(5) == 0 ? "[fe80::" + random.nextInt(9) + "]" : host()) + ":"
                    + random.nextInt(65536);
        }

        private String host() {
            return random.nextBoolean() ? "10.0.0." + random.nextInt(256) : word() + ".ns.svc";
        }

        private String word() {
            String letters = "abcXYZ019_-.";
            StringBuilder word = new StringBuilder("w");
            for (int i = random.nextInt(6); i > 0; i--) {
                word.append(letters.charAt(random.nextInt(letters.length())));
            }
            return word.toString();
        }

        /** Any text, halves of characters too. */
        private String noise() {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(8); i > 0; i--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(128) : random.nextInt(0x10000)));
            }
            return text.toString();
        }

        private int number() {
            return random.nextInt(4) == 0 ? Integer.MAX_VALUE - random.nextInt(9) : random.nextInt(20);
        }

        private OptionalInt maybeNumber() {
            return random.nextBoolean() ? OptionalInt.of(number()) : OptionalInt.empty();
        }

        private <T> Optional<T> maybe(Supplier<T> one) {
            return random.nextBoolean() ? Optional.of(one.get()) : Optional.empty();
        }
    }
}
