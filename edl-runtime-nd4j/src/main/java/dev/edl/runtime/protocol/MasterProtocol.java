package dev.edl.runtime.protocol;

import dev.edl.runtime.ps.ShardLife;
import dev.edl.runtime.ps.ports.Term;
import dev.edl.runtime.task.Assignment;
import dev.edl.runtime.task.LedgerEvent;
import dev.edl.runtime.task.LedgerSpec;
import dev.edl.runtime.task.Task;
import dev.edl.runtime.task.TaskLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A master: hands the tasks of a {@link TaskLedger} to workers, gives servers their lives, decides for which workers rounds wait, and
 * takes cuts.
 *
 * <ul>
 *   <li>Its term is one more than the highest of its journal and of the servers' hellos. A server that follows another master ends it
 *       with exit code 75.
 *   <li>With a journal it has its ledger at once, and compares it with each server that has begun another life. Without one it
 *       rebuilds the ledger from what all servers hold.
 *   <li>A task is complete when every server holds its pushes, each in its present life.
 *   <li>Rounds wait for a worker that has a task, is connected, and was heard of in the last {@link #SILENCE}. Its lease lasts for the
 *       timeout of the ledger.
 *   <li>It answers a worker that has followed a higher term only while every server follows it.
 *   <li>Of two servers of one shard it ends the one that has another life than it has given, or found first.
 *   <li>A connection that is not the newest of its peer is closed at its next message, so both sides agree again.
 * </ul>
 */
public final class MasterProtocol implements Machine {
    /** The time without a word of a worker after which rounds do not wait for it. */
    static final long SILENCE = Duration.ofSeconds(5).toNanos();

    /** The time that a master stays to tell all workers that the training is complete. */
    static final long FAREWELL = Duration.ofSeconds(5).toNanos();

    private static final int TRY_AGAIN = 75;

    private final String run;
    private final String id;
    private final LedgerSpec spec;
    private final MasterStore store;
    private final MasterStore.Found found;
    private final ServerSeats servers;
    private final Checkpoints checkpoints;
    private final WorkerSeats workers;
    private final List<Effect> out = new ArrayList<>();
    private @Nullable Term term;
    private @Nullable TaskLedger ledger;
    private boolean rebuilt;
    private boolean complete;
    private boolean ended;
    private long lives;
    private long questions;
    private long membersEpoch;
    private SortedSet<String> members = new TreeSet<>();
    private long farewell = NEVER;
    private long began;

    /**
     * Makes a master, which begins with the first tick.
     *
     * @param run the name of the run
     * @param id different for each start of a master
     * @param spec what is trained
     * @param shards the number of parameter servers
     * @param cutEvery the time between two checkpoints
     */
    public MasterProtocol(String run, String id, LedgerSpec spec, int shards, Duration cutEvery, MasterStore store) {
        this.run = run;
        this.id = id;
        this.spec = spec;
        this.store = store;
        this.found = store.find();
        this.servers = new ServerSeats(shards);
        this.workers = new WorkerSeats(shards);
        this.checkpoints = new Checkpoints(servers, cutEvery, found.newest(), out);
    }

    @Override
    public List<Effect> on(Event event, long now) {
        if (ended) {
            return List.of();
        }
        if (event instanceof Event.Received received) {
            received(received.link(), received.message(), now);
        } else if (event instanceof Event.Closed closed) {
            closed(closed.link());
        } else if (event instanceof Event.Committed committed) {
            committed(committed.cut(), now);
        }
        due(now);
        List<Effect> effects = List.copyOf(out);
        out.clear();
        return effects;
    }

    private void received(Link link, Message message, long now) {
        if (message instanceof ShardToMaster word) {
            ServerSeat server = servers.named(link.peer());
            if (word instanceof ShardToMaster.Hello hello) {
                greet(server, link, hello, now);
            } else if (server.is(link)) {
                fromShard(server, word, now);
            } else {
                out.add(new Effect.Close(link));
            }
        } else if (message instanceof WorkerToMaster word) {
            WorkerSeat worker = workers.named(link.peer());
            if (word instanceof WorkerToMaster.Hello hello) {
                worker.greets(link, hello, now);
                welcome(worker, now);
            } else if (worker.is(link)) {
                fromWorker(worker, link, word, now);
            } else {
                out.add(new Effect.Close(link));
            }
        }
    }

    private void greet(ServerSeat server, Link link, ShardToMaster.Hello hello, long now) {
        if (term != null && hello.followed() <= term.number() && server.isAnother(hello.life())) {
            send(link, new MasterToShard.Replaced(term));
            return;
        }
        server.greets(link, hello);
        Term mine = term;
        if (mine == null) {
            begin(now);
        } else if (hello.followed() > mine.number()) {
            end(server.index, hello.followed());
        } else {
            order(server, mine);
        }
    }

    private void end(int shard, long followed) {
        ended = true;
        out.add(new Effect.End(TRY_AGAIN, "ps-" + shard + " follows term " + followed + ", this is " + term));
    }

    /** Takes a term, once it knows enough to number it. */
    private void begin(long now) {
        boolean whole = servers.all(server -> server.link != null);
        if (found.journalTerm() == 0 && !whole) {
            return;
        }
        long number = Math.max(found.journalTerm(), servers.highestTerm());
        Optional<Consumer<LedgerEvent>> journal = Optional.empty();
        while (journal.isEmpty()) {
            number++;
            journal = store.create(number, found.history());
        }
        Term mine = new Term(number, id);
        term = mine;
        began = now;
        checkpoints.rest(false, now);
        if (found.journalTerm() == 0) {
            ledger = TaskLedger.start(spec, journal.get());
        } else {
            ledger = TaskLedger.replay(spec, found.history(), journal.get());
            ledger.renewLeases(time(now));
            rebuilt = true;
        }
        for (ServerSeat server : servers) {
            if (server.link != null) {
                order(server, mine);
            }
        }
        workers.forEach(worker -> welcome(worker, now));
    }

    private Duration time(long now) {
        return Duration.ofNanos(now - began);
    }

    private TaskLedger ledger() {
        TaskLedger present = ledger;
        if (present == null) {
            throw new IllegalStateException(id + " has no term yet");
        }
        return present;
    }

    private List<Task> held(WorkerSeat worker) {
        return ledger().leases().getOrDefault(worker.name, List.of());
    }

    private void order(ServerSeat server, Term mine) {
        ShardLife life = server.told;
        if (life.equals(ShardLife.UNORDERED)) {
            // The id of the master: without journal and servers another master may number as this one does.
            life = new ShardLife(run + "/" + id, mine.number(), lives++);
        }
        server.expected = life;
        send(server.link, new MasterToShard.Order(mine, life, checkpoints.newest()));
    }

    private void fromShard(ServerSeat server, ShardToMaster word, long now) {
        Term mine = term;
        if (mine == null) {
            return;
        }
        if (word instanceof ShardToMaster.Refused refused) {
            end(server.index, refused.followed());
        } else if (word instanceof ShardToMaster.Ordered ordered) {
            ordered(server, mine, ordered, now);
        } else if (word instanceof ShardToMaster.Confirmed confirmed) {
            for (WorkerSeat worker : workers) {
                if (worker.report != null
                        && worker.question == confirmed.request()
                        && confirmed.life().equals(server.life)) {
                    worker.confirmed(server.index, confirmed.held());
                    settle(worker, now);
                }
            }
        } else {
            List<ShardToMaster.Saved> parts = checkpoints.answered(server, word, workers::isConnected, now);
            if (parts != null) {
                saved(mine, parts, now);
            }
        }
    }

    private void ordered(ServerSeat server, Term mine, ShardToMaster.Ordered ordered, long now) {
        if (server.orders(ordered, spec.pushIds())) {
            workers.forEach(worker -> worker.forget(server.index));
        }
        compare(server);
        if (!rebuilt && servers.all(ServerSeat::isReady)) {
            rebuild();
            workers.forEach(worker -> welcome(worker, now));
        }
        workers.forEach(worker -> look(worker, mine));
        send(server.link, new MasterToShard.Members(mine, membersEpoch, members));
        workers.forEach(worker -> ask(worker, server, mine));
    }

    /** Puts back what a server lacks that has begun another life. */
    private void compare(ServerSeat server) {
        if (!rebuilt || complete || checkpoints.writesResult() || server.compared.equals(server.life)) {
            return;
        }
        server.compare(ledger());
    }

    /** Makes the ledger of what all servers hold. */
    private void rebuild() {
        rebuilt = true;
        ledger().resume(servers::appliedByAll, servers::heldByAny);
        servers.forEach(server -> server.compared = server.life);
    }

    /** Answers a hello, once there is a ledger. */
    private void welcome(WorkerSeat worker, long now) {
        WorkerToMaster.Hello hello = worker.greeting;
        Term mine = term;
        if (hello == null || mine == null || !rebuilt) {
            return;
        }
        if (hello.followed() > mine.number() && !servers.all(ServerSeat::isReady)) {
            // A later master may have the other servers. While all of them follow this one, no other can complete
            // anything.
            close(worker);
            return;
        }
        worker.greeting = null;
        Task held = hello.held();
        boolean kept = held != null && held(worker).contains(held);
        if (kept && held != null) {
            ledger().touch(held, time(now));
            worker.member = true;
        } else {
            ledger().workerGone(worker.name);
        }
        look(worker, mine);
        send(worker.link, new MasterToWorker.Welcome(kept));
    }

    private void look(WorkerSeat worker, Term mine) {
        if (worker.greeting == null) {
            send(worker.link, new MasterToWorker.View(mine, servers.lives()));
        }
    }

    private void fromWorker(WorkerSeat worker, Link link, WorkerToMaster word, long now) {
        Term mine = term;
        worker.heardAt = now;
        if (mine == null || !rebuilt) {
            return;
        }
        if (word instanceof WorkerToMaster.Next next) {
            send(link, next(worker, next.request(), now));
        } else if (word instanceof WorkerToMaster.Report report) {
            if (!held(worker).contains(report.task())) {
                send(link, new MasterToWorker.Reported(report.request(), false));
                return;
            }
            ledger().touch(report.task(), time(now));
            worker.reports(report, questions++);
            servers.forEach(server -> ask(worker, server, mine));
        } else if (word instanceof WorkerToMaster.Beat beat && beat.held() != null) {
            Task held = beat.held();
            if (!held(worker).contains(held)) {
                send(link, new MasterToWorker.Taken(held));
            } else {
                ledger().touch(held, time(now));
                worker.member = true;
            }
        }
    }

    private MasterToWorker next(WorkerSeat worker, long request, long now) {
        worker.member = false;
        if (complete) {
            return new MasterToWorker.Leave(request);
        }
        Assignment assignment = ledger().next(worker.name, time(now));
        if (assignment instanceof Assignment.Lease lease) {
            worker.member = true;
            return new MasterToWorker.Given(request, lease.task());
        }
        return new MasterToWorker.Wait(request);
    }

    /** Asks a server what it holds of a task that is reported. */
    private void ask(WorkerSeat worker, ServerSeat server, Term mine) {
        WorkerToMaster.Report report = worker.report;
        if (report != null && server.isReady() && worker.lacks(server.index)) {
            Task task = report.task();
            send(
                    server.link,
                    new MasterToShard.Confirm(mine, server.life, worker.question, task.pushId(0), task.minibatches()));
        }
    }

    /** Completes or takes back a task, once every server has said what it holds of it. */
    private void settle(WorkerSeat worker, long now) {
        WorkerToMaster.Report report = worker.report;
        if (report == null || !worker.isAnswered()) {
            return;
        }
        worker.report = null;
        Task task = report.task();
        boolean accepted = false;
        if (worker.isHeldByAll(task)) {
            accepted = ledger().complete(task, time(now)).accepted();
        } else {
            ledger().giveBack(task);
        }
        send(worker.link, new MasterToWorker.Reported(report.request(), accepted));
    }

    /** All parts of a cut are written. */
    private void saved(Term mine, List<ShardToMaster.Saved> parts, long now) {
        long all = ledger().progress().minibatchesTotal();
        boolean trained = ledger().trainingComplete();
        boolean last = trained && parts.stream().allMatch(part -> part.count() == all);
        if (trained && !last) {
            // Something is missing, whatever the lives say: all servers are compared once more.
            for (ServerSeat server : servers) {
                server.compared = ShardLife.UNORDERED;
                server.told = server.life;
                order(server, mine);
            }
        }
        checkpoints.rest(trained, now);
        checkpoints.write(parts, last);
    }

    private void committed(CutId written, long now) {
        Term mine = term;
        if (mine != null && checkpoints.committed(written)) {
            complete = true;
            servers.forEach(server -> send(server.link, new MasterToShard.Leave(mine)));
        }
        checkpoints.rest(ledger().trainingComplete(), now);
    }

    private void closed(Link link) {
        for (ServerSeat server : servers) {
            if (server.is(link)) {
                server.closed();
            }
        }
        workers.closed(link);
        forgetGone();
    }

    private void forgetGone() {
        TaskLedger present = ledger;
        if (present != null) {
            workers.forget(present.leases().keySet()::contains);
        }
    }

    private void due(long now) {
        Term mine = term;
        if (found.complete()) {
            ended = true;
            out.add(new Effect.End(0, "the training was complete before"));
        }
        if (mine == null || ended) {
            return;
        }
        if (complete) {
            farewell = Math.min(farewell, now + FAREWELL);
            if (now >= farewell) {
                ended = true;
                out.add(new Effect.End(0, "the training is complete"));
            }
            return;
        }
        if (!rebuilt) {
            return;
        }
        if (!ledger().expire(time(now)).isEmpty()) {
            forgetGone();
        }
        boolean trained = ledger().trainingComplete();
        if (trained) {
            workers.leave();
        } else {
            workers.silent(now - SILENCE);
        }
        boolean cut = checkpoints.isDue(trained, now);
        // Before a cut: the result has no open round.
        tellMembers(mine);
        if (cut) {
            checkpoints.begin(mine, trained, now);
        }
    }

    private void tellMembers(Term mine) {
        if (checkpoints.keepsMembers()) {
            return;
        }
        SortedSet<String> next = workers.members();
        if (!next.equals(members)) {
            members = next;
            membersEpoch++;
            for (ServerSeat server : servers) {
                if (server.isReady()) {
                    send(server.link, new MasterToShard.Members(mine, membersEpoch, next));
                }
            }
        }
    }

    private void close(WorkerSeat worker) {
        Link link = worker.link;
        if (link != null) {
            out.add(new Effect.Close(link));
        }
        worker.closed();
    }

    private void send(@Nullable Link link, Message message) {
        if (link != null) {
            out.add(new Effect.Send(link, message));
        }
    }

    @Override
    public long wakeAt() {
        TaskLedger present = ledger;
        if (found.complete() && !ended) {
            return Long.MIN_VALUE;
        }
        if (ended || present == null) {
            return NEVER;
        }
        if (complete) {
            return farewell;
        }
        if (!rebuilt) {
            return NEVER;
        }
        long at = present.nextExpiry().map(expiry -> began + expiry.toNanos()).orElse(NEVER);
        long oldest = workers.oldest();
        if (oldest != NEVER) {
            at = Math.min(at, oldest + SILENCE + 1);
        }
        return Math.min(at, checkpoints.wakeAt());
    }

    /** Returns the text for people, for example {@code term 2 of m2, epoch 1 of 2: 3 of 8 tasks, ...}. */
    @Override
    public String toString() {
        return (term == null ? id + " without a term" : term.toString()) + ", " + (rebuilt ? ledger : "no ledger")
                + ", members " + members;
    }
}
