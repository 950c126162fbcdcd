package dev.edl.examples.local;

import dev.edl.env.TfConfig;
import dev.edl.env.TfTasks;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Program of every replica of the example. Like any TensorFlow program, it reads the addresses of the other replicas
 * from {@code TF_CONFIG}.
 *
 * <p>The parameter server stores the number of completed steps. Workers perform steps and add them to that number; the
 * chief waits until it reaches the job's number of steps. Servers and workers never end by themselves.
 */
final class Replica {
    private static final Duration PAUSE = Duration.ofMillis(150);
    private static final int TRIES = 200;

    private final TfConfig config;
    private final String type;
    private final int index;

    private Replica(TfConfig config) {
        this.config = config;
        this.type = config.task().orElseThrow().type();
        this.index = config.task().orElseThrow().index();
    }

    /**
     * Runs the replica.
     *
     * @param args number of steps of the job; and path of a file: if it does not exist at worker 0's third step, the
     *     worker creates it and fails; {@code -} for no failure
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        Replica replica = new Replica(TfConfig.parse(Objects.requireNonNull(System.getenv(TfConfig.VARIABLE))));
        int goal = Integer.parseInt(args[0]);
        switch (replica.type) {
            case "ps" -> replica.serve();
            case "chief" -> replica.lead(goal);
            default -> replica.work(goal, args[1]);
        }
    }

    private String address(String task, int number) {
        TfTasks tasks = Objects.requireNonNull(config.cluster().get(task), task);
        return Objects.requireNonNull(tasks.addresses().get(number), task);
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private void serve() throws IOException {
        String here = address(type, index);
        int done = 0;
        try (ServerSocket server = new ServerSocket(port(here), 50, InetAddress.getLoopbackAddress())) {
            System.out.println("listening on " + here);
            while (true) {
                try (Socket client = server.accept();
                        DataInputStream in = new DataInputStream(client.getInputStream());
                        DataOutputStream out = new DataOutputStream(client.getOutputStream())) {
                    done += in.readInt();
                    out.writeInt(done);
                } catch (IOException e) {
                    System.out.println("a client ended in the middle of a message; the next one is not affected");
                }
            }
        }
    }

    private void lead(int goal) throws IOException, InterruptedException {
        int told = 0;
        for (int done = add(0); done < goal; done = add(0)) {
            if (done >= told + goal / 4) {
                System.out.println(done + " of " + goal + " steps are done");
                told = done;
            }
            Thread.sleep(PAUSE.toMillis());
        }
        System.out.println("all " + goal + " steps are done");
    }

    private void work(int goal, String failed) throws IOException, InterruptedException {
        System.out.println("at " + address(type, index) + ", with the parameter server at " + address("ps", 0));
        for (int step = 1; ; step++) {
            Thread.sleep(PAUSE.toMillis());
            if (step == 3 && index == 0 && !failed.equals("-") && !Files.exists(Path.of(failed))) {
                Files.createFile(Path.of(failed));
                System.out.println("ends with exit code 3, on purpose, once");
                System.exit(3);
            }
            int done = add(1);
            if (step % 5 == 0) {
                System.out.println("did " + step + " steps; all together " + Math.min(done, goal) + " of " + goal);
            }
        }
    }

    /**
     * Adds steps to the number that the parameter server stores, and returns the sum; retries while the server is not
     * up.
     */
    private int add(int steps) throws IOException, InterruptedException {
        for (int tried = 1; ; tried++) {
            try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port(address("ps", 0)));
                    DataOutputStream out = new DataOutputStream(server.getOutputStream());
                    DataInputStream in = new DataInputStream(server.getInputStream())) {
                out.writeInt(steps);
                return in.readInt();
            } catch (ConnectException e) {
                if (tried == TRIES) {
                    throw e;
                }
                Thread.sleep(PAUSE.toMillis());
            } catch (IOException e) {
                System.out.println("the parameter server ended in the middle of a message");
                System.exit(1);
            }
        }
    }

    /** Returns, for example, {@code worker 1 of chief, ps}. */
    @Override
    public String toString() {
        return type + " " + index + " of "
                + String.join(", ", Map.copyOf(config.cluster()).keySet());
    }
}
