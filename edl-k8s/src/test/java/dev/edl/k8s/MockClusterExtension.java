package dev.edl.k8s;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts the server before each test, and stops it afterwards. */
public final class MockClusterExtension implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace PLACE = ExtensionContext.Namespace.create(MockCluster.class);

    /** Shared by all clients, because a new one analyzes again how each type is parsed. */
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private record Cluster(KubernetesMockServer server, KubernetesClient client) {}

    @Override
    public void beforeEach(ExtensionContext context) throws IllegalAccessException {
        Map<ServerRequest, Queue<ServerResponse>> answers = new HashMap<>();
        // Without TLS, because the mock would generate a pair of RSA keys for each test.
        KubernetesMockServer server =
                new KubernetesMockServer(new Context(), new MockWebServer(), answers, new Server(answers), false);
        server.init();
        Cluster cluster =
                new Cluster(server, server.createClient(builder -> builder.withKubernetesSerialization(SERIALIZATION)));
        context.getStore(PLACE).put(Cluster.class, cluster);
        for (Object test : context.getRequiredTestInstances().getAllInstances()) {
            for (Field field : test.getClass().getDeclaredFields()) {
                field.setAccessible(true);
                if (field.getType().equals(KubernetesClient.class)) {
                    field.set(test, cluster.client());
                } else if (field.getType().equals(KubernetesMockServer.class)) {
                    field.set(test, cluster.server());
                }
            }
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Cluster cluster = context.getStore(PLACE).remove(Cluster.class, Cluster.class);
        if (cluster != null) {
            cluster.server().destroy();
            cluster.client().close();
        }
    }

    /** The mock's dispatcher, but with another thread for the end of a watch. */
    private static final class Server extends KubernetesMixedDispatcher {
        /** Shared by requests: each notifies the watches that it finds. */
        private final ReadWriteLock requests = new ReentrantReadWriteLock();

        Server(Map<ServerRequest, Queue<ServerResponse>> answers) {
            super(answers);
        }

        @Override
        public MockResponse dispatch(RecordedRequest request) {
            requests.readLock().lock();
            try {
                MockResponse response = super.dispatch(request);
                WebSocketListener listener = response.getWebSocketListener();
                return listener == null
                        ? response
                        : response.withWebSocketUpgrade(new EndsApart(listener, () -> forget(listener)));
            } finally {
                requests.readLock().unlock();
            }
        }

        /** Without this, a request that notifies a watch whose thread has ended would get no answer. */
        private void forget(WebSocketListener watch) {
            if (!watch.getClass().getSimpleName().equals("WatchEventsListener")) {
                // For an answer that a test has set.
                return;
            }
            requests.writeLock().lock();
            try {
                Field all = watch.getClass().getDeclaredField("watchEventListenerList");
                all.setAccessible(true);
                ((Set<?>) all.get(watch)).remove(watch);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("the mock keeps its watches elsewhere than in 7.8.0", e);
            } finally {
                requests.writeLock().unlock();
            }
        }
    }

    /** Handles the end of a connection on another thread than the sender's. */
    private static final class EndsApart extends WebSocketListener {
        private final WebSocketListener listener;
        private final Runnable forget;

        EndsApart(WebSocketListener listener, Runnable forget) {
            this.listener = listener;
            this.forget = forget;
        }

        @Override
        public void onBeforeAccept(WebSocket socket, Response response) {
            listener.onBeforeAccept(socket, response);
        }

        @Override
        public void onOpen(WebSocket socket, Response response) {
            listener.onOpen(socket, response);
        }

        @Override
        public void onMessage(WebSocket socket, String text) {
            listener.onMessage(socket, text);
        }

        @Override
        public void onMessage(WebSocket socket, byte[] bytes) {
            listener.onMessage(socket, bytes);
        }

        @Override
        public void onClosing(WebSocket socket, int code, String reason) {
            listener.onClosing(socket, code, reason);
        }

        @Override
        public void onClosed(WebSocket socket, int code, String reason) {
            apart(() -> listener.onClosed(socket, code, reason));
        }

        @Override
        public void onFailure(WebSocket socket, Throwable error, Response response) {
            apart(() -> listener.onFailure(socket, error, response));
        }

        private void apart(Runnable end) {
            Thread thread = new Thread(
                    () -> {
                        forget.run();
                        end.run();
                    },
                    "mock-watch-end");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
