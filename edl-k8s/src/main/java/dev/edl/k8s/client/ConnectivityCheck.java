package dev.edl.k8s.client;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Checks once whether a cluster answers, before any object is created. Without it, the client itself retries an
 * unreachable server for minutes. Thread-safe.
 */
public final class ConnectivityCheck {
    private static final Duration LIMIT = Duration.ofSeconds(4);

    private final KubernetesClient client;
    private final String from;
    private volatile boolean answered;

    private ConnectivityCheck(KubernetesClient client, String from, boolean answered) {
        this.client = client;
        this.from = from;
        this.answered = answered;
    }

    /** Returns the client of the cluster that the sources name; the caller closes it. */
    public static KubernetesClient client(ClusterConfigSources sources) {
        if (sources.found().isEmpty()) {
            throw new KubernetesClientException(
                    "no Kubernetes cluster was found: " + sources.lookedFor() + "; " + ClusterConfigSources.ADVICE);
        }
        return new KubernetesClientBuilder().build();
    }

    /**
     * Returns a check of whether the cluster answers, for a client from {@link #client(ClusterConfigSources)}.
     *
     * @return a check whose {@link #check} throws a {@link KubernetesClientException} when the cluster does not answer
     */
    public static ConnectivityCheck of(KubernetesClient client, ClusterConfigSources sources) {
        return of(client, sources.found().orElse("of this process"));
    }

    /**
     * Returns a check of whether the client's cluster answers.
     *
     * @param from phrase for messages that names the source of the cluster, such as
     *     {@code of kubeconfig /root/.kube/config}
     */
    public static ConnectivityCheck of(KubernetesClient client, String from) {
        return new ConnectivityCheck(client, from, false);
    }

    /** Returns a check that trusts the caller's client: it sends no request and always passes. */
    public static ConnectivityCheck given(KubernetesClient client) {
        return new ConnectivityCheck(client, "", true);
    }

    /**
     * Requests the cluster's version, unless the cluster answered an earlier check.
     *
     * @throws KubernetesClientException when no answer comes within 4 s; the message has the server and the source that
     *     names it
     */
    public void check() {
        if (answered) {
            return;
        }
        FutureTask<Boolean> asking = new FutureTask<>(this::ask);
        Thread thread = new Thread(asking, "edl-reach");
        thread.setDaemon(true);
        thread.start();
        try {
            asking.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            answered = true;
        } catch (TimeoutException e) {
            thread.interrupt();
            throw unreached("no answer within " + LIMIT.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw unreached(describe(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreached("the thread was interrupted", e);
        }
    }

    /** Returns whether the cluster answered a check, or this check sends no request. */
    boolean answered() {
        return answered;
    }

    private boolean ask() {
        try {
            client.adapt(NamespacedKubernetesClient.class)
                    .withRequestConfig(
                            new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
                                    .withRequestTimeout((int) LIMIT.toMillis())
                                    .withRequestRetryBackoffLimit(0)
                                    .build())
                    .call(bounded -> bounded.raw("/version"));
        } catch (KubernetesClientException e) {
            // A refusal is an answer; the refused request itself reports it later.
            if (e.getCode() <= 0) {
                throw e;
            }
        }
        return true;
    }

    private KubernetesClientException unreached(String why, Throwable cause) {
        Config config = client.getConfiguration();
        NamedContext context = config.getCurrentContext();
        return new KubernetesClientException(
                "no Kubernetes cluster was reached: server " + config.getMasterUrl() + " " + from
                        + (context == null ? "" : ", context \"" + context.getName() + "\"") + ": " + why
                        + "; check that kubectl version reaches it, or " + ClusterConfigSources.ADVICE,
                cause);
    }

    /** Returns the innermost cause's message. */
    private static String describe(Throwable broke) {
        Throwable cause = broke;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
