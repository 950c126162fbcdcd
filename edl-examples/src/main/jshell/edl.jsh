// What a JShell session on EDL begins with; docs/jshell.md has the command.
import dev.edl.*
import dev.edl.env.*
import dev.edl.exec.*
import dev.edl.exec.local.*
import dev.edl.explain.*
import dev.edl.k8s.*
import dev.edl.k8s.controller.*
import dev.edl.k8s.crd.*
import dev.edl.k8s.crd.et.*
import dev.edl.k8s.crd.kinds.*
import dev.edl.k8s.crd.kubeflow.*
import dev.edl.k8s.crd.mxjob.*
import dev.edl.k8s.crd.tfjob.*
import dev.edl.k8s.preflight.*
import dev.edl.k8s.render.*
import dev.edl.plan.*
import dev.edl.reconcile.*
import dev.edl.runtime.*
import dev.edl.runtime.data.*
import dev.edl.runtime.history.*
import dev.edl.runtime.model.*
import dev.edl.runtime.ps.*
import dev.edl.spec.*
import java.time.*
import static dev.edl.Priority.HIGH
import static dev.edl.Priority.LOW
