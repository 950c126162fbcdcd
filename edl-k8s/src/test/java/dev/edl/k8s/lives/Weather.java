package dev.edl.k8s.lives;

import dev.edl.k8s.lives.Request.Verb;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random faults of each request of a life. */
final class Weather implements Network {
    private static final int MANY = 1_000;
    /** Time in which the loop retries a request more than ten times. */
    private static final int LONGEST = 8 * 60_000;

    final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
    private final Life life;
    private final Random random;
    private final int perMille;
    private final int latency;
    boolean storm;
    long outageEnd;
    /** Requests that are refused until {@link #refusalEnd}. */
    private @Nullable Verb refused;

    private Fault refusal = Fault.QUOTA_LASTS;
    long refusalEnd;
    private int lagging;
    private final Map<String, Long> begun = new HashMap<>();
    private final Set<String> existed = new HashSet<>();
    private final Map<String, Long> heard = new HashMap<>();

    Weather(Life life, Random random) {
        this.life = life;
        this.random = random;
        this.perMille = new int[] {20, 60, 120, 250}[random.nextInt(4)];
        this.latency = 1 + random.nextInt(random.nextInt(4) == 0 ? 400 : 40);
    }

    void strike(Fault fault, String what) {
        struck.merge(fault, 1, Integer::sum);
        life.note(fault + " " + what);
    }

    /** Returns the number of faults so far. */
    int strikes() {
        return struck.values().stream().mapToInt(i -> i).sum();
    }

    /**
     * Refuses each request of a kind for some minutes: a quota creations, a missing permission one verb, a webhook its
     * requests.
     */
    void refuse() {
        refusal = List.of(Fault.QUOTA_LASTS, Fault.RIGHT_LASTS, Fault.WEBHOOK_LASTS)
                .get(random.nextInt(3));
        refused = switch (refusal) {
            case RIGHT_LASTS ->
                List.of(Verb.CREATE_POD, Verb.DELETE_POD, Verb.REPLACE_RECORD).get(random.nextInt(3));
            case WEBHOOK_LASTS -> random.nextBoolean() ? Verb.CREATE_POD : Verb.REPLACE_RECORD;
            default -> Verb.CREATE_POD;
        };
        refusalEnd = life.time.now() + 60_000 + random.nextInt(LONGEST);
        strike(refusal, refused + " until " + refusalEnd);
    }

    private boolean refuses(Request request) {
        return request.verb() == refused && life.time.now() < refusalEnd;
    }

    /** Returns whether the object of the current request existed at its start. */
    boolean existed(String client) {
        return existed.contains(client);
    }

    /** Returns when a driver last had an answer about the record. */
    long heard(String client) {
        return heard.getOrDefault(client, 0L);
    }

    /** Returns the start of a driver's current request. */
    long begun(String client) {
        return begun.getOrDefault(client, 0L);
    }

    boolean outage() {
        return life.time.now() < outageEnd;
    }

    @Override
    public void shown(String client, Pod pod) {
        life.oracle.told(client, pod);
    }

    @Override
    public long lag() {
        if (outage()) {
            return outageEnd - life.time.now();
        }
        if (storm && lagging == 0 && random.nextInt(100) == 0) {
            lagging = 1 + random.nextInt(5);
            strike(Fault.WATCH_LAGS, "");
        }
        if (lagging > 0) {
            lagging--;
            return random.nextInt(10_000);
        }
        return random.nextInt(20);
    }

    @Override
    public <T> T carry(Request request, Supplier<T> effect) {
        Driver driver = life.driver(request.client());
        driver.check();
        if (!storm) {
            T answer = done(request, effect);
            life.time.pass(1);
            driver.check();
            return answer;
        }
        if (request.verb() != Verb.LIST_PODS) {
            // A watch lists again on its own thread.
            begun.put(request.client(), life.time.now());
            if (life.server.pods.containsKey(request.name())) {
                existed.add(request.client());
            } else {
                existed.remove(request.client());
            }
        }
        boolean before = random.nextBoolean();
        if (driver.crashIn >= 0 && driver.crashIn-- == 0) {
            strike(Fault.CRASH_BETWEEN_REQUESTS, request.toString());
            if (!before) {
                tried(request, effect);
            }
            driver.end();
            throw new Crash();
        }
        boolean replaced = driver.replacedIn >= 0 && driver.replacedIn-- == 0;
        if (replaced && before) {
            replace(request);
        }
        T answer = faulty(request, effect);
        if (replaced && !before) {
            replace(request);
        }
        if (request.verb() == Verb.GET_RECORD || request.verb() == Verb.REPLACE_RECORD) {
            heard.put(request.client(), life.time.now());
        }
        driver.check();
        return answer;
    }

    private void replace(Request request) {
        strike(Fault.TAKE_OVER_IN_A_REQUEST, request.toString());
        life.attach();
    }

    private <T> T faulty(Request request, Supplier<T> effect) {
        Fault fault = fault(request);
        if (fault == null) {
            life.time.pass(random.nextInt(latency + 1));
            T answer = done(request, effect);
            life.time.pass(random.nextInt(latency + 1));
            return answer;
        }
        if (fault != Fault.OUTAGE && fault != refusal) {
            strike(fault, request.toString());
        }
        switch (fault) {
            case FORBIDDEN_403 -> throw Errors.of(403, "Forbidden", "exceeded quota: small");
            case CONFLICT_409 -> throw Errors.conflict(request.name());
            case QUOTA_LASTS -> throw Errors.of(403, "Forbidden", "exceeded quota: lasting");
            case RIGHT_LASTS -> throw Errors.of(403, "Forbidden", "User \"d\" cannot do it");
            case WEBHOOK_LASTS -> throw Errors.of(500, "InternalError", "failed calling webhook \"w\"");
            case INVALID_422 -> throw Errors.of(422, "Invalid", "a webhook refuses it");
            case THROTTLED_429 -> throw Errors.of(429, "TooManyRequests", "slow down");
            case BROKEN_500 -> throw Errors.of(500, "InternalError", "etcdserver: leader changed");
            case ANSWER_LOST -> {
                tried(request, effect);
                life.time.pass(random.nextInt(10_000));
                throw Errors.silence();
            }
            case REQUEST_LATE -> {
                if (request.verb() == Verb.DELETE_POD && random.nextBoolean()) {
                    // The object to delete may have a successor of another driver by then.
                    replace(request);
                }
                life.time.pass(random.nextInt(20_000));
                return done(request, effect);
            }
            case ANSWER_LATE, LIST_OLD -> {
                T answer = done(request, effect);
                life.time.pass(random.nextInt(20_000));
                return answer;
            }
            default -> {
                life.time.pass(random.nextInt(10_000));
                throw Errors.silence();
            }
        }
    }

    private @Nullable Fault fault(Request request) {
        if (outage()) {
            return Fault.OUTAGE;
        }
        if (refuses(request)) {
            return refusal;
        }
        // Few requests are deletions, and a late one is the most dangerous.
        int least = request.verb() == Verb.DELETE_POD ? 200 : 0;
        if (random.nextInt(MANY) >= Math.max(least, perMille)) {
            return null;
        }
        Verb verb = request.verb();
        if (verb == Verb.DELETE_POD && random.nextBoolean()) {
            return Fault.REQUEST_LATE;
        }
        return switch (random.nextInt(9)) {
            case 0 -> Fault.FORBIDDEN_403;
            case 1 -> verb == Verb.CREATE_POD || verb == Verb.REPLACE_RECORD ? Fault.CONFLICT_409 : Fault.BROKEN_500;
            case 2 -> verb == Verb.CREATE_POD ? Fault.INVALID_422 : Fault.THROTTLED_429;
            case 3 -> Fault.THROTTLED_429;
            case 4 -> Fault.BROKEN_500;
            case 5 -> Fault.NO_ANSWER;
            case 6 -> Fault.ANSWER_LOST;
            case 7 -> Fault.REQUEST_LATE;
            default -> verb == Verb.LIST_PODS ? Fault.LIST_OLD : Fault.ANSWER_LATE;
        };
    }

    private <T> void tried(Request request, Supplier<T> effect) {
        try {
            done(request, effect);
        } catch (KubernetesClientException e) {
            // Only the driver does not get the answer.
            life.note("unheard: " + e.getCode());
        }
    }

    /** Delivers the request to the server. */
    private <T> T done(Request request, Supplier<T> effect) {
        Pod before = life.server.pods.get(request.name());
        try {
            T answer = effect.get();
            life.note(request + " done");
            life.oracle.done(request, before);
            return answer;
        } catch (KubernetesClientException e) {
            life.note(request + " -> " + e.getCode());
            throw e;
        }
    }
}
