// What a JShell session on EDL begins with; docs/jshell.md has the command.
import dev.edl.*
import dev.edl.env.*
import dev.edl.exec.*
import dev.edl.exec.local.*
import dev.edl.k8s.*
import dev.edl.k8s.render.*
import dev.edl.plan.*
import dev.edl.reconcile.*
import dev.edl.runtime.*
import dev.edl.runtime.data.*
import dev.edl.runtime.model.*
import dev.edl.runtime.ps.*
import java.time.*
import static dev.edl.Priority.HIGH
import static dev.edl.Priority.LOW
