package dev.edl.exec.local;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shell process between this JVM and a replica's program; it ends when this JVM or the program ends.
 *
 * <p>The shell leads its own session, so no signal of a terminal reaches the shell or the program. It runs the program,
 * then ends all processes that the program left running, and exits with the program's exit code.
 *
 * <p>A watcher beside it reads a pipe that this JVM holds open. The pipe closes when the replica is stopped or the JVM
 * has ended. Then the watcher ends the program with all its processes: TERM, the grace period, KILL.
 *
 * <p>A replica's processes are:
 *
 * <ul>
 *   <li>The shell's process group.
 *   <li>Every descendant.
 *   <li>If the system has {@code /proc}: each process with the replica's mark in its environment. This finds session
 *       leaders whose parents are gone (the workers of torchrun).
 * </ul>
 *
 * <p>The first line on the shell's standard output is the program's process id; the rest is the program's output.
 */
final class ProcessSupervisor {
    /** Name of the environment variable that identifies the processes of a replica; its value is the replica's mark. */
    static final String MARK = "EDL_LOCAL_REPLICA";

    private static final String SCRIPT = """
            # $0 the replica, $1 the grace period in seconds, $2 the mark, $3 the program's path, then its words.
            # No variable is set before the program starts: it would replace the program's of that name.

            # Process, state, parent and group of each; on Linux as /proc has it, and which of them have the mark. What this
            # JVM's other processes are by descent need not be asked for their marks, and with many replicas most are those; but
            # the first process of a container is made the parent of all that lost theirs.
            table() {
                if [ -r /proc/self/stat ]; then
                    stats=$(cat /proc/[0-9]*/stat)
                    echo "$stats"
                    grep -lsF -e "EDL_LOCAL_REPLICA=$mark" $(echo "$stats" | awk -v jvm=$PPID '
                        { pid = $1; sub(/^.*\\) /, ""); parent[pid] = $2 }
                        function others(p,    q, n) {
                            for (q = p; jvm != 1 && q in parent && n < 1000; q = parent[q]) {
                                if (q == jvm) return 1
                                n++
                            }
                            return 0
                        }
                        END { for (p in parent) if (!others(p)) print "/proc/" p "/environ" }')
                else
                    ps -A -o pid= -o stat= -o ppid= -o pgid=
                fi
            }

            # What belongs to the replica; not this shell, not the watcher, not what they run to find it out.
            members() {
                here=$(exec /bin/sh -c 'echo $PPID')
                table | awk -v root=$$ -v watcher="$watcher" -v here="$here" '
                    /^\\/proc\\// { split($0, part, "/"); marked[part[3]] = 1; next }
                    /^[0-9]+ \\(/ { pid = $1; sub(/^.*\\) /, pid " ") }
                    { state[$1] = $2; parent[$1] = $3; group[$1] = $4 }
                    function belongs(p,    q, n, yes) {
                        if (p == root || state[p] ~ /^[ZX]/) return 0
                        yes = group[p] == root
                        for (q = p; q in parent && n < 1000; q = parent[q]) {
                            if (q == watcher || q == here) return 0
                            if (q == root || q in marked) yes = 1
                            n++
                        }
                        return yes
                    }
                    END { for (p in parent) if (belongs(p)) print p }'
            }

            # All at once, and again what was started meanwhile. What the system holds is given up after a while.
            sweep() {
                turn=0
                while left=$(members) && [ -n "$left" ] && [ $turn -lt 200 ]; do
                    kill -s KILL $left
                    turn=$((turn + 1))
                    sleep 0.05
                done
            }

            exec 3<&0 4>&2 </dev/null 2>/dev/null
            (
                exec >/dev/null
                trap '' HUP
                grace=$1 mark=$2
                watcher=$(exec /bin/sh -c 'echo $PPID')
                # TERM, by which the shell says that the program has ended, ends the watcher here.
                read -r how <&3
                ended='' told=''
                [ "$how" = now ] && grace=0
                sleep "$grace" &
                timer=$!
                # Killed to end a wait for it, whether that has begun or is about to.
                sleep "$grace" &
                alarm=$!
                trap 'ended=yes; kill -s KILL $alarm' TERM
                pause=0.05
                while kill -s 0 $timer; do
                    left=$(members)
                    if [ -z "$left" ]; then
                        if [ -n "$ended" ] || ! kill -s 0 $$; then
                            kill -s KILL $timer $alarm
                            exit 0
                        fi
                    elif [ -z "$told" ]; then
                        # The program may begin only after it was told to end.
                        [ "$how" = now ] || kill -s TERM $left
                        told=yes
                    fi
                    if [ -n "$told" ] && [ -z "$ended" ] && kill -s 0 $$; then
                        # For the grace period, or until the shell says that the program has ended.
                        wait $alarm
                    else
                        sleep $pause
                        [ $pause = 0.05 ] && pause=0.1 || pause=0.4
                    fi
                done
                kill -s KILL $timer $alarm
                turn=0
                while [ -z "$ended" ] && kill -s 0 $$ && [ $turn -lt 200 ]; do
                    sweep
                    turn=$((turn + 1))
                    sleep 0.05
                done
                sweep
                exit 0
            ) 4>&- &
            # A TERM sent to the whole group is meant for the program, not for this shell.
            trap : TERM
            (
                EDL_LOCAL_REPLICA=$2 PATH=$3
                export EDL_LOCAL_REPLICA PATH
                shift 3
                exec /bin/sh -c 'echo $$; exec "$@"' "$0" "$@"
            ) 2>&4 3<&- 4>&-
            code=$? mark=$2 watcher=$!
            exec >/dev/null 3<&- 4>&-
            kill -s TERM $watcher
            # It goes on for a while if it is ending what the program started, and then all is done.
            wait $watcher || sweep
            exit $code
            """;

    private final List<String> session;
    private final String tools;

    /**
     * Creates a supervisor.
     *
     * @param session the command words before a command that make it run in its own session
     * @param tools the PATH of the tools that the shell needs
     */
    ProcessSupervisor(List<String> session, String tools) {
        this.session = List.copyOf(session);
        this.tools = tools;
    }

    /**
     * Returns the shell process that runs a program, ready to start.
     *
     * @param name the replica's name, which begins the shell's error messages
     * @param mark the replica's mark: no other replica on this machine has it, and it is not a prefix of another mark
     * @param env the program's environment
     */
    ProcessBuilder process(String name, Duration grace, String mark, Map<String, String> env, List<String> command) {
        List<String> words = new ArrayList<>(session);
        words.addAll(List.of("/bin/sh", "-c", SCRIPT, name));
        words.add(BigDecimal.valueOf(grace.toMillis(), 3).toPlainString());
        words.add(mark);
        words.add(env.getOrDefault("PATH", tools));
        words.addAll(command);
        ProcessBuilder process = new ProcessBuilder(words).redirectErrorStream(true);
        // The shell finds its tools on this JVM's PATH, the program on the replica's.
        process.environment().clear();
        process.environment().putAll(env);
        process.environment().put("PATH", tools);
        return process;
    }
}
