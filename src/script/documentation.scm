;;; SPDX-License-Identifier: Apache-2.0
;;; What each name of the module (lightcone) is for: those that have no docstring of their own get it here, and all are
;;; put into an order, for `describe` and for docs/reference.md.
(define-module (lightcone documentation)
  #:use-module (srfi srfi-1)
  #:use-module (ice-9 format)
  #:use-module (ice-9 match)
  #:use-module ((system vm program) #:select (program-arguments-alist))
  #:export (describe documentation-sections documented signature-of))

;; Sections of names; with a signature and a text where those do not come from the procedure.
(define sections
  '(("Histories"
     current-history open-history
     (with-history "(with-history HISTORY BODY ...)" "Evaluates the body with another history as the current one.")
     (history? "(history? OBJECT)" "Whether this is a history.")
     (history-directory "(history-directory HISTORY)" "The folder of the trace.")
     history-path history-span history-total history-event-count history-arc-count history-layer-count history-lost
     history-processes history-objects history-operations history-sites history-timelines history-regions
     history-phases)
    ("Timelines"
     (with-timeline "(with-timeline NAME BODY ...)" "Evaluates the body with times of this timeline.")
     current-timeline
     (timeline? "(timeline? OBJECT)" "Whether this is a timeline.")
     (timeline-id "(timeline-id TIMELINE)" "Its number; 0 is what was measured.")
     (timeline-name "(timeline-name TIMELINE)" "Its name.")
     (timeline-model "(timeline-model TIMELINE)" "How it was approximated; #f: it was measured.")
     (timeline-parameters "(timeline-parameters TIMELINE)" "What it was approximated with, in JSON."))
    ("Processes"
     process
     (process? "(process? OBJECT)" "Whether this is the record of a process.")
     (process-id "(process-id PROCESS)" "Its number, from 0 on.")
     (process-name "(process-name PROCESS)" "Its name.")
     (process-host "(process-host PROCESS)" "The name of the host it ran on, or #f.")
     (process-parent "(process-parent PROCESS)" "The number of the process that made it, or #f.")
     (process-pid "(process-pid PROCESS)" "The operating system's number of its address space, or #f.")
     (process-thread "(process-thread PROCESS)" "The operating system's number of its thread, or #f.")
     (process-rank "(process-rank PROCESS)" "Its rank in MPI_COMM_WORLD, or #f.")
     (process-lost "(process-lost PROCESS)" "How many events of it the recorder could not keep.")
     (process-unseen "(process-unseen PROCESS)" "How long it was blocked and no event says why, ns; #f: not known.")
     (process-scheduled? "(process-scheduled? PROCESS)" "Whether it is known when it had no processor.")
     (process-event-count "(process-event-count PROCESS)" "How many events it has.")
     (process-begin "(process-begin PROCESS)" "When its first event begins on the current timeline, ns.")
     (process-end "(process-end PROCESS)" "When its last event ends on the current timeline, ns."))
    ("Objects, operations and sites"
     object
     (object? "(object? OBJECT)" "Whether this is the record of an object.")
     (object-id "(object-id OBJECT)" "Its number, from 0 on.")
     (object-name "(object-name OBJECT)" "Its name.")
     (object-class "(object-class OBJECT)" "Its class, a symbol: mutex, barrier, channel ...")
     (object-process "(object-process OBJECT)" "The number of the process that it stands for, or #f.")
     (object-value "(object-value OBJECT)" "The value it was made with, as of a semaphore, or #f.")
     (object-event-count "(object-event-count OBJECT)" "How many events have it.")
     (object-waited "(object-waited OBJECT)" "How long it was waited for in all, ns.")
     (object-held "(object-held OBJECT)" "How long it was held in all, ns.")
     (region? "(region? OBJECT)" "Whether this is the record of a region, which the program has marked.")
     (region-id "(region-id REGION)" "The number of the object that is entered.")
     (region-name "(region-name REGION)" "Its name.")
     (region-event-count "(region-event-count REGION)" "How often it is entered and left.")
     (operation? "(operation? OBJECT)" "Whether this is the record of an operation.")
     (operation-id "(operation-id OPERATION)" "Its number.")
     (operation-name "(operation-name OPERATION)" "Its name, a symbol.")
     (operation-class "(operation-class OPERATION)" "The class it belongs to, a symbol.")
     site
     (site? "(site? OBJECT)" "Whether this is the record of a site, a place in the source.")
     (site-id "(site-id SITE)" "Its number.")
     (site-function "(site-function SITE)" "The function, or #f.")
     (site-file "(site-file SITE)" "The file, or #f.")
     (site-line "(site-line SITE)" "The line, or #f.")
     (site-module "(site-module SITE)" "The program or library, or #f.")
     (site-offset "(site-offset SITE)" "Where it is in that, or #f.")
     (site-text "(site-text SITE)" "The site as the commands show it."))
    ("Phases"
     (phase? "(phase? OBJECT)" "Whether this is the record of a phase.")
     (phase-number "(phase-number PHASE)" "Its number; 0 is what is before the first one.")
     (phase-name "(phase-name PHASE)" "Its name.")
     (phase-begin "(phase-begin PHASE)" "When its first event begins, ns.")
     (phase-end "(phase-end PHASE)" "When its last event ends, ns.")
     (phase-event-count "(phase-event-count PHASE)" "How many events are in it.")
     (phase-first-layer "(phase-first-layer PHASE)" "The first layer of its events.")
     (phase-last-layer "(phase-last-layer PHASE)" "The last layer of its events.")
     phase-start event-phase)
    ("Events"
     event event? event-at
     (event-process "(event-process EVENT)" "The number of its process.")
     (event-ordinal "(event-ordinal EVENT)" "The how manieth of its process it is, from 0 on.")
     (event-operation "(event-operation EVENT)" "What was done, a symbol.")
     (event-object "(event-object EVENT)" "The number of the object it was done to, or #f.")
     (event-sequence "(event-sequence EVENT)" "Its sequence number, or #f.")
     (event-begin "(event-begin EVENT)" "When it begins on the current timeline, ns.")
     (event-end "(event-end EVENT)" "When it ends on the current timeline, ns.")
     (event-duration "(event-duration EVENT)" "How long it takes on the current timeline, ns.")
     (event-waited "(event-waited EVENT)" "How much of it was waiting for another process, ns.")
     (event-woken "(event-woken EVENT)" "How long it took after that until the process really went on, ns.")
     (event-preempted "(event-preempted EVENT)" "How much of it was without a processor, ns, or #f.")
     (event-layer "(event-layer EVENT)" "Its logical time, from 1 on.")
     (event-cpu "(event-cpu EVENT)" "The processor it was carried out on, or #f.")
     (event-value "(event-value EVENT)" "The value of a tag, the number of members of a barrier ..., or #f.")
     (event-bytes "(event-bytes EVENT)" "The size of a message, or #f.")
     (event-peer "(event-peer EVENT)" "The number of the process at the other end of a message, or #f.")
     event-site
     (event-stack "(event-stack EVENT)" "The number of the stack it was called from, or #f.")
     (event-removed "(event-removed EVENT)" "Of another timeline than the measured one: how much of the measurement was
taken out of it, ns.")
     (event-gained "(event-gained EVENT)" "Of another timeline: by how much it waits longer there, ns; or shorter, if
negative.")
     (event-reordered? "(event-reordered? EVENT)" "Of another timeline: whether its order has changed.")
     (event-origin "(event-origin EVENT)" "Of another timeline: the event of the measured one that it comes from."))
    ("Arcs, and what came before what"
     (time-basis "(time-basis EVENT)" "The event that it waited for: the other end of the arc that was last; or #f.")
     arcs-in arcs-out predecessors successors
     (arc? "(arc? OBJECT)" "Whether this is an arc.")
     (arc-from "(arc-from ARC)" "The event that it comes from.")
     (arc-to "(arc-to ARC)" "The event that it ends at.")
     (arc-from-point "(arc-from-point ARC)" "Whether it comes from that event's begin or end: a symbol.")
     (arc-kind "(arc-kind ARC)" "data or order: a symbol.")
     (arc-object "(arc-object ARC)" "The number of the object it is about, or #f.")
     (arc-rule "(arc-rule ARC)" "The rule that makes it, a text like \"unlock to lock\".")
     arc-from-time
     (arc-to-time "(arc-to-time ARC)" "When the event ends that it ends at, ns.")
     (past "(past EVENT)" "Of each process, how many of its first events could have influenced this one: a u64vector.")
     (future "(future EVENT)" "Of each process, the ordinal of the first event that this one could have influenced: a
u64vector.")
     in-past? in-future?
     (relation "(relation ONE OTHER)" "How two events are ordered: before, after, together or concurrent.")
     happened-before? concurrent?)
    ("Folds, columns and windows"
     fold-events events fold-arcs event-columns window
     (bucket? "(bucket? OBJECT)" "Whether this is a bucket: what the events of a time of a process sum up to.")
     (bucket-process "(bucket-process BUCKET)" "The number of the process.")
     (bucket-begin "(bucket-begin BUCKET)" "When its time begins, ns.")
     (bucket-end "(bucket-end BUCKET)" "When its time ends, ns.")
     (bucket-running "(bucket-running BUCKET)" "How long the process was running in it, ns.")
     (bucket-waiting "(bucket-waiting BUCKET)" "How long it waited for another process, ns.")
     (bucket-woken "(bucket-woken BUCKET)" "How long it had been woken and did not go on yet, ns.")
     (bucket-preempted "(bucket-preempted BUCKET)" "How long it was ready without a processor, ns.")
     (bucket-outside "(bucket-outside BUCKET)" "How long it was blocked on what is no process, ns.")
     (bucket-holding "(bucket-holding BUCKET)" "How long it held an object, ns.")
     (bucket-event-count "(bucket-event-count BUCKET)" "How many events end in it.")
     (bucket-longest "(bucket-longest BUCKET)" "How long the longest of these took, ns.")
     bucket-longest-event)
    ("SQL"
     sql fold-sql sql-columns)
    ("Analyses"
     stats field critical-path critical-path-events approximate what-if findings races compare
     explain predict
     (define-analysis "(define-analysis (NAME) \"What it is for.\" BODY ...)" "Defines a procedure whose rows are a
table of `lightcone stats`, too.")
     analysis-names)
    ("Views"
     (define-view "(define-view (NAME HISTORY SPAN) [#:title TITLE] \"What it shows.\" BODY ...)" "Defines a view of
`lightcone export` and a plot of the browser; the body gives what `plot` does.")
     view-names plot axis plot-series plot-bars plot-matrix plot-table plot-graph plot-space-time
     rect line polygon point text
     shown-processes process-row event-box span-box arc-line
     (duration-text "(duration-text NS)" "A time for people, as \"1.25 ms\".")
     (bytes-text "(bytes-text BYTES)" "An amount of data for people, as \"1.46 KiB\"."))
    ("Commands"
     (define-command "(define-command (NAME SELECTION SPAN) [#:key KEY] [#:title TITLE] \"What it does.\" BODY ...)"
      "Defines an item of the browser's menu, with a key as GTK writes it; a text that the body gives is shown.")
     command-names)
    ("Rules"
     (define-rules "(define-rules NAME [\"What they are for.\"] (SORT NAME #:KEY VALUE ...) ...)"
      "Defines operations of a new class, and their arcs, as a file of rules does; merges read that from then on.")
     rules-names forget-rules!)
    ("Marks"
     mark! mark-span! unmark! unmark-span! marks marked annotate! annotations
     (mark? "(mark? OBJECT)" "Whether this is a mark.")
     (mark-name "(mark-name MARK)" "Its name, a symbol.")
     (mark-process "(mark-process MARK)" "The number of the process.")
     (mark-event "(mark-event MARK)" "The event; #f: a time is marked.")
     mark-begin mark-end)
    ("Output and errors"
     print-table
     (visible "(visible TEXT)" "The text without characters that could do something to a terminal.")
     lightcone-error? lightcone-error-message)))

(define (argument-text name)
  (string-upcase (format #f "~a" name)))

;; Of a procedure with names of its arguments: (fold-events F INIT [#:process PROCESS] ...).
(define (procedure-signature name procedure)
  (let* ((arguments (program-arguments-alist procedure))
         (part (lambda (key) (or (assq-ref arguments key) '()))))
    (string-append
     "(" (string-join (append (list (symbol->string name))
                              (map argument-text (part 'required))
                              (map (lambda (one) (format #f "[~a]" (argument-text one))) (part 'optional))
                              (map (lambda (one) (format #f "[~s]" (car one))) (part 'keyword))
                              (if (symbol? (part 'rest)) (list (argument-text (part 'rest)) "...") '())))
     ")")))

(define (own-text name)
  (let ((value (module-ref (resolve-interface '(lightcone)) name #f)))
    (and (procedure? value) (procedure-documentation value)
         (list name (procedure-signature name value) (procedure-documentation value)))))

(define (entry-name entry)
  (if (pair? entry) (car entry) entry))

(define (documentation-sections)
  "Lists of a title and (NAME SIGNATURE TEXT) for each name; SIGNATURE is #f for what is not documented."
  (map (lambda (section)
         (cons (car section)
               (map (lambda (entry) (if (pair? entry) entry (or (own-text entry) (list entry #f #f)))) (cdr section))))
       sections))

;; How what has this name in the module is written, or #f if nothing has.
(define (signature-of name)
  (let ((known (find (lambda (entry) (eq? (entry-name entry) name)) (append-map cdr sections))))
    (and=> (and known (if (pair? known) known (own-text name))) second)))

(define (documented)
  "The names that are in a section."
  (append-map (lambda (section) (map entry-name (cdr section))) sections))

(define (describe-name name)
  (match (or (assq name (append-map cdr (documentation-sections))) (own-text name))
    ((_ (? string? signature) text) (format #t "~a\n~a\n" signature text))
    (_ (format #t "~a: nothing is known of it\n" name)))
  *unspecified*)

(define-syntax-rule (describe name)
  (describe-name 'name))
