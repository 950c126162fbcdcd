package dev.edl.env;

import dev.edl.plan.ReplicaPlan;
import dev.edl.spec.ElasticBounds;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Variables {@code PET_*}, which {@code torchrun} reads in place of its arguments. Immutable.
 *
 * <p>A static job has a master and a fixed number of nodes; the nodes of an elastic job meet at a rendezvous. Kubeflow
 * sets both for an elastic job with a master.
 *
 * @param nodes smallest and largest number of nodes; equal in a static job
 * @param processes number of processes on each node, or {@code auto}, {@code gpu}, {@code cpu} or
 *     {@code xpu}
 * @param master address of node 0, and rank of this node; empty if the nodes find each other by the rendezvous only
 * @param rendezvous rendezvous of elastic nodes; empty in a static job
 * @param maxRestarts how often the processes of all nodes restart before the job fails; torchrun's default is 0
 * @see <a href="https://pytorch.org/docs/stable/elastic/run.html">torchrun</a>
 */
public record TorchrunEnv(
        ElasticBounds nodes,
        String processes,
        Optional<Master> master,
        Optional<Rendezvous> rendezvous,
        OptionalInt maxRestarts) {
    /**
     * Variable that gives the rendezvous a separate store. Since 2.4 PyTorch by default shares the rendezvous' store
     * with the training. With a shared store, a node that joins later never gets the new master's address from a
     * surviving rank 0 and fails, with 2.15 every time.
     */
    public static final String OWN_STORE = "TORCH_DISABLE_SHARE_RDZV_TCP_STORE";

    private static final String NODES = "PET_NNODES";
    private static final String PROCESSES = "PET_NPROC_PER_NODE";
    private static final String RANK = "PET_NODE_RANK";
    private static final String ADDRESS = "PET_MASTER_ADDR";
    private static final String PORT = "PET_MASTER_PORT";
    private static final String BACKEND = "PET_RDZV_BACKEND";
    private static final String ENDPOINT = "PET_RDZV_ENDPOINT";
    private static final String ID = "PET_RDZV_ID";
    private static final String CONF = "PET_RDZV_CONF";
    private static final String RESTARTS = "PET_MAX_RESTARTS";
    private static final String STATIC = "static";
    private static final String EXAMPLE = "for example last_call_timeout=3";

    /** Endpoint of a rendezvous; the port is group 1 or 2. An address of IPv6 with a port has brackets or none. */
    private static final Pattern PLACE =
            Pattern.compile("(?:\\[[\\w.:-]+](?::([0-9]{1,5}))?|[\\w.:-]+:([0-9]{1,5})|[\\w.-]*)");

    /**
     * Address of the node with rank 0, and this node's rank.
     *
     * @param host host of the node with rank 0: a name, or an IPv4 or IPv6 address
     * @param port port of that node, 0 to 65535; 0 on a single node for any free port
     * @param rank rank of this node, at least 0
     */
    public record Master(String host, int port, int rank) {
        /**
         * Checks host, port and rank.
         *
         * @throws IllegalArgumentException if one is not as above
         */
        public Master {
            EnvReader.hostOrIpv6(ADDRESS, host);
            EnvReader.number(PORT, port, 0, 65535);
            EnvReader.number(RANK, rank, 0, Integer.MAX_VALUE);
        }
    }

    /**
     * Rendezvous of the nodes of an elastic job.
     *
     * @param backend {@code c10d}, {@code etcd}, {@code etcd-v2} or {@code static}
     * @param endpoint address of the rendezvous, {@code host:port}; without a port the backend's default; if empty,
     *     this machine, or the master with {@code static}
     * @param id name that distinguishes the job from others at the same endpoint
     * @param settings settings of the backend, for example {@code last_call_timeout} = {@code 3}: seconds that it waits
     *     for further nodes once the smallest number has come; torchrun's default is 30
     */
    public record Rendezvous(String backend, String endpoint, Optional<String> id, SortedMap<String, String> settings) {
        /**
         * Copies the settings; checks the texts as PyTorch 2.15 does.
         *
         * @throws IllegalArgumentException if the endpoint is not as above or its port exceeds 65535, the backend has
         *     other characters than letters, digits, dashes, dots and underscores, or a setting has a comma, no key or
         *     no value
         */
        public Rendezvous {
            EnvReader.checkWord(BACKEND, backend);
            endpoint = endpoint.strip();
            checkEndpoint(backend, endpoint);
            settings.forEach((key, value) -> {
                if (isPart(key) && !key.contains("=") && isPart(value)) {
                    return;
                }
                throw new IllegalArgumentException(
                        CONF + " must be key=value,key=value, was \"" + key + "=" + value + "\"; " + EXAMPLE);
            });
            settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
        }

        private static boolean isPart(String text) {
            return !text.isEmpty() && !text.contains(",") && text.equals(text.strip());
        }

        private static void checkEndpoint(String backend, String endpoint) {
            Matcher parts = PLACE.matcher(endpoint);
            boolean known = parts.matches();
            String port = !known ? null : parts.group(1) == null ? parts.group(2) : parts.group(1);
            boolean portNeeded = backend.equals(STATIC) && !endpoint.isEmpty();
            if (!known || (port == null ? portNeeded : Integer.parseInt(port) > 65_535)) {
                throw new IllegalArgumentException(ENDPOINT + " must be host:port"
                        + (portNeeded ? "" : " or host") + ", with a port from 0 to 65535, was \"" + endpoint
                        + "\"; for example myjob-worker-0:29400");
            }
        }
    }

    /**
     * Checks nodes, processes and restarts.
     *
     * @throws IllegalArgumentException if one is wrong, or the bounds of {@code nodes} differ without a rendezvous
     */
    public TorchrunEnv {
        if (!processes.matches("auto|gpu|cpu|xpu|[1-9]\\d{0,8}")) {
            throw new IllegalArgumentException(
                    PROCESSES + " must be a number, auto, gpu, cpu or xpu, was \"" + processes + "\"; for example 1");
        }
        if (rendezvous.isEmpty() && nodes.min() != nodes.max()) {
            throw new IllegalArgumentException(NODES + " must be one number without a rendezvous, was " + nodes.min()
                    + ":" + nodes.max() + "; for example " + NODES + "=" + nodes.max());
        }
        maxRestarts.ifPresent(number -> EnvReader.number(RESTARTS, number, 0, Integer.MAX_VALUE));
    }

    /** Returns the variables, with {@link #OWN_STORE} if the backend is {@code c10d}. */
    public Map<String, String> variables() {
        Map<String, String> env = new LinkedHashMap<>();
        master.ifPresent(node -> {
            env.put(PORT, Integer.toString(node.port()));
            env.put(ADDRESS, node.host());
            env.put(RANK, Integer.toString(node.rank()));
        });
        env.put(PROCESSES, processes);
        rendezvous.ifPresent(place -> {
            if (!place.endpoint().isEmpty()) {
                env.put(ENDPOINT, place.endpoint());
            }
            env.put(BACKEND, place.backend());
        });
        env.put(NODES, rendezvous.isPresent() ? nodes.min() + ":" + nodes.max() : Integer.toString(nodes.max()));
        maxRestarts.ifPresent(number -> env.put(RESTARTS, Integer.toString(number)));
        rendezvous.ifPresent(place -> {
            place.id().ifPresent(id -> env.put(ID, id));
            if (!place.settings().isEmpty()) {
                env.put(
                        CONF,
                        place.settings().entrySet().stream()
                                .map(setting -> setting.getKey() + "=" + setting.getValue())
                                .collect(Collectors.joining(",")));
            }
            if (place.backend().equals("c10d")) {
                env.put(OWN_STORE, "1");
            }
        });
        return Collections.unmodifiableMap(env);
    }

    /** Returns the {@code PET_*} variables that a plan gives to a replica; empty if the replica has none. */
    public static Optional<TorchrunEnv> of(ReplicaPlan replica) {
        return Optional.of(replica.env()).filter(env -> env.containsKey(NODES)).map(TorchrunEnv::parse);
    }

    /**
     * Parses the {@code PET_*} variables above, as torchrun of PyTorch 2.15 does, with its defaults for absent ones.
     * Ignores all others, even {@link #OWN_STORE}, which follows from {@code PET_RDZV_BACKEND}.
     *
     * @throws IllegalArgumentException when {@code PET_NNODES} is missing, or a variable has a value that torchrun does
     *     not accept
     */
    public static TorchrunEnv parse(Map<String, String> env) {
        EnvReader reader = new EnvReader(env);
        Optional<Master> master = Optional.empty();
        if (reader.optional(ADDRESS).isPresent()
                || reader.optional(RANK).isPresent()
                || reader.optional(PORT).isPresent()) {
            master = Optional.of(new Master(
                    reader.optional(ADDRESS).orElse("127.0.0.1"), number(env, PORT, "29500"), number(env, RANK, "0")));
        }
        boolean meets = Stream.of(BACKEND, ENDPOINT, ID, CONF).anyMatch(env::containsKey);
        Optional<Rendezvous> rendezvous = !meets
                ? Optional.empty()
                : Optional.of(new Rendezvous(
                        reader.optional(BACKEND).orElse(STATIC),
                        reader.optional(ENDPOINT).orElse(""),
                        reader.optional(ID),
                        settings(reader.optional(CONF).orElse(""))));
        return new TorchrunEnv(
                nodes(reader.required(NODES, "2")),
                EnvReader.plainNumber(reader.optional(PROCESSES).orElse("1")),
                master,
                rendezvous,
                env.containsKey(RESTARTS) ? OptionalInt.of(number(env, RESTARTS, "0")) : OptionalInt.empty());
    }

    private static int number(Map<String, String> env, String name, String absent) {
        return EnvReader.number(name, EnvReader.plainNumber(env.getOrDefault(name, absent)));
    }

    private static ElasticBounds nodes(String text) {
        String plain =
                Stream.of(text.split(":", -1)).map(EnvReader::plainNumber).collect(Collectors.joining(":"));
        if (!plain.matches("[1-9][0-9]{0,8}(:[1-9][0-9]{0,8})?")) {
            throw new IllegalArgumentException(
                    NODES + " must be a number or least:greatest, was \"" + text + "\"; for example 2 or 1:4");
        }
        String[] ends = plain.split(":", 2);
        int min = EnvReader.number(NODES, ends[0]);
        int max = ends.length == 1 ? min : EnvReader.number(NODES, ends[1]);
        if (min > max) {
            throw new IllegalArgumentException(
                    NODES + " must begin with the least, was \"" + text + "\"; for example " + max + ":" + min);
        }
        return new ElasticBounds(min, max);
    }

    private static SortedMap<String, String> settings(String text) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (String setting : text.isBlank() ? new String[0] : text.split(",", -1)) {
            String[] words = setting.split("=", 2);
            if (words.length != 2 || words[0].isBlank() || words[1].isBlank()) {
                throw new IllegalArgumentException(
                        CONF + " must be key=value,key=value, was \"" + text + "\"; " + EXAMPLE);
            }
            settings.put(words[0].strip(), words[1].strip());
        }
        return settings;
    }

    /** Returns the variables as shell assignments. */
    @Override
    public String toString() {
        return EnvReader.shell(variables());
    }
}
