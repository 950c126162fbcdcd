package dev.edl.conformance;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;

/** Account in its own namespace whose Role may lack a verb, and the API server's refusals of its requests. */
public final class LeastRole implements Interceptor {
    private static final int AT_ONCE = 3;

    private final KubernetesClient admin;
    private final String namespace;
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    /** Creates the namespace. */
    public LeastRole(KubernetesClient admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
        Checks.namespace(admin, namespace, false);
    }

    /** Creates objects, among them a Role without a verb of one of its rules. */
    public void make(List<HasMetadata> objects, PolicyRule rule, String verb) {
        for (HasMetadata object : objects) {
            if (object instanceof Role role) {
                role.setRules(role.getRules().stream()
                        .map(one -> one.equals(rule)
                                ? new PolicyRuleBuilder(one)
                                        .removeFromVerbs(verb)
                                        .build()
                                : one)
                        .filter(one -> !one.getVerbs().isEmpty())
                        .toList());
            }
            admin.resource(object).create();
        }
    }

    /**
     * Waits until the Role takes effect, checked with the account's client. A Role is one object, so if one rule holds,
     * all do.
     */
    public void holds(KubernetesClient account) {
        Checks.soon(namespace + ": the Role counts", () -> "", () -> {
            try {
                account.pods().inNamespace(namespace).list();
                return true;
            } catch (KubernetesClientException e) {
                try {
                    account.services().inNamespace(namespace).withName("none").get();
                    return true;
                } catch (KubernetesClientException alsoRefused) {
                    return false;
                }
            }
        });
        refused.clear();
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        if (response.code() == 403) {
            refused.add(
                    response.request() == null
                            ? "a connection"
                            : response.request().method() + " "
                                    + response.request().uri().getPath());
        }
        return CompletableFuture.completedFuture(false);
    }

    /** Returns the refusals, oldest first. */
    public Queue<String> refused() {
        return refused;
    }

    /** Waits until a condition holds, or a request was refused. */
    public void until(String what, Duration limit, BooleanSupplier holds) throws InterruptedException {
        Checks.until(
                namespace + ": " + what,
                limit,
                () -> admin.pods().inNamespace(namespace).list().getItems().stream()
                        .map(pod -> pod.getMetadata().getName() + " "
                                + pod.getStatus().getPhase())
                        .toList(),
                () -> !refused.isEmpty() || holds.getAsBoolean());
    }

    public void remove() {
        admin.namespaces().withName(namespace).delete();
    }

    /** One trial without a verb of a Role. */
    public interface Without {
        String trial(int number, PolicyRule rule, String verb) throws Exception;
    }

    /** Runs trials of the whole Role, and one without each of its verbs; returns the number of verbs. */
    public static int each(List<PolicyRule> rules, List<Callable<String>> whole, Without without)
            throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        List<Future<String>> trials = new ArrayList<>();
        whole.forEach(trial -> trials.add(threads.submit(trial)));
        for (PolicyRule rule : rules) {
            for (String verb : rule.getVerbs()) {
                int number = trials.size();
                trials.add(threads.submit(() -> without.trial(number, rule, verb)));
            }
        }
        for (Future<String> trial : trials) {
            try {
                System.out.println("  " + trial.get());
            } catch (ExecutionException e) {
                e.printStackTrace();
                Checks.check(false, String.valueOf(e.getCause()));
            }
        }
        threads.shutdown();
        return trials.size() - whole.size();
    }
}
