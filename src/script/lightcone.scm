;;; SPDX-License-Identifier: Apache-2.0
;;; The module (lightcone): what a script can ask of a history. Names with % are C's, and only give and take plain
;;; values; here they become records, lists and folds. docs/scripting.md explains each of them.
(define-module (lightcone)
  #:use-module (srfi srfi-1)
  #:use-module (srfi srfi-4)
  #:use-module (srfi srfi-9)
  #:use-module (srfi srfi-9 gnu)
  #:use-module (ice-9 format)
  #:use-module (ice-9 exceptions)
  #:use-module (ice-9 match)
  #:export (open-history current-history history? history-directory history-path history-span history-total
            history-event-count history-arc-count history-layer-count history-lost history-processes history-objects
            history-operations history-sites history-timelines history-regions history-phases with-history with-timeline
            current-timeline
            process process? process-id process-name process-host process-parent process-pid process-thread
            process-rank process-lost process-unseen process-scheduled? process-event-count process-begin
            process-end
            object object? object-id object-name object-class object-process object-value object-event-count
            object-waited object-held
            region? region-id region-name region-event-count
            operation? operation-id operation-name operation-class
            site site? site-id site-function site-file site-line site-module site-offset site-text
            timeline? timeline-id timeline-name timeline-model timeline-parameters
            phase? phase-number phase-name phase-begin phase-end phase-event-count phase-first-layer phase-last-layer
            phase-start event-phase
            event event? event-process event-ordinal event-operation event-object event-sequence event-begin event-end
            event-duration event-waited event-woken event-preempted event-layer event-cpu event-value event-bytes
            event-peer event-site
            event-stack event-removed event-gained event-reordered? event-origin event-at
            arc? arc-from arc-to arc-from-point arc-kind arc-object arc-rule arc-from-time arc-to-time
            arcs-in arcs-out predecessors successors
            concurrent? happened-before? in-past? in-future?
            fold-events fold-arcs event-columns events
            window bucket? bucket-process bucket-begin bucket-end bucket-running bucket-waiting bucket-woken
            bucket-preempted bucket-outside bucket-holding bucket-event-count bucket-longest bucket-longest-event
            sql fold-sql sql-columns
            mark! mark-span! unmark! unmark-span! annotate! marks marked annotations
            mark? mark-name mark-process mark-event mark-begin mark-end
            print-table define-analysis analysis-names
            lightcone-error? lightcone-error-message))

;; The modules that scripts can use without further ado.
(define user-modules
  '((srfi srfi-1) (srfi srfi-4) (srfi srfi-26) (srfi srfi-34) (ice-9 format) (ice-9 match) (lightcone)))

;;; Errors

(define (fail message . arguments)
  (scm-error 'lightcone-error #f message arguments #f))

;; What a procedure was given, and what it must be.
(define (refuse who value what)
  (fail "~a: ~s is no ~a" who value what))

(define (check who value good? what)
  (unless (good? value)
    (refuse who value what))
  value)

;; Of any record that is not of the type, its accessors say what has one that is.
(define-syntax define-checked-record
  (lambda (form)
    (syntax-case form ()
      ((_ type make record? what (field get) ...)
       (with-syntax (((raw ...) (generate-temporaries #'(get ...))))
         #'(begin
             (define-record-type type make record? (field raw) ...)
             (define (get record)
               (if (record? record) (raw record) (refuse 'get record what)))
             ...))))))

(define end-of-time (1- (expt 2 64)))

(define (time? value)
  (and (exact-integer? value) (<= 0 value end-of-time)))

(define (count? value)
  (and (exact-integer? value) (<= 0 value #xffffffff)))

(define (check-time who value) (check who value time? "time, which is a whole number of ns from 0 on"))
(define (check-count who value) (check who value count? "whole number from 0 on"))
(define (check-text who value) (check who value string? "text"))
(define (check-procedure who value call) (check who value procedure? (string-append "procedure, called as " call)))

(define (lightcone-error? object)
  "Whether this is an error of Lightcone's: of a history that cannot be read, or something in it that is not there."
  (and (exception? object) (eq? (exception-kind object) 'lightcone-error)))

(define (lightcone-error-message object)
  "What the command line would say of the error."
  (let ((arguments (exception-args
                    (check 'lightcone-error-message object lightcone-error? "error for which lightcone-error? holds"))))
    (apply format #f (cadr arguments) (caddr arguments))))

;; A name is a text or a symbol.
(define (name-of-name who name)
  (if (symbol? name) (symbol->string name) (check who name string? "name, which is a text or a symbol")))

;;; Histories

(define-checked-record <history>
  (make-history number directory)
  history? "history, which (current-history) or (open-history DIR) gives"
  (number history-number)
  (directory history-directory))

(set-record-type-printer! <history>
  (lambda (history port) (format port "#<history ~s>" (history-directory history))))

(define (current-history)
  "The history that procedures ask which are not given another one."
  (make-history (%current-history) (%history-directory)))

(define (open-history directory)
  "Opens the history of another trace, which is merged first if need be."
  (make-history (%open-history (check-text 'open-history directory)) directory))

(define (in-history history thunk)
  (let ((before (%current-history)) (timeline (%timeline)))
    (if (and history (not (= before (history-number history))))
        (dynamic-wind
          (lambda () (%switch-history! (history-number history)) (%set-timeline! 0))
          thunk
          (lambda () (%switch-history! before) (%set-timeline! timeline)))
        (thunk))))

(define-syntax-rule (with-history history body ...)
  (in-history history (lambda () body ...)))

(define (in-timeline name thunk)
  (let ((before (%timeline)) (number (timeline-number name)))
    (dynamic-wind
      (lambda () (%set-timeline! number))
      thunk
      (lambda () (%set-timeline! before)))))

(define-syntax-rule (with-timeline name body ...)
  (in-timeline name (lambda () body ...)))

(define-syntax-rule (define-history-question name text expression)
  (define* (name #:optional history)
    text
    (in-history history (lambda () expression))))

(define-history-question history-path "The file of the history." (%history-path))
(define-history-question history-span "When the first event begins and the last one ends: (BEGIN . END), ns."
  (%history-span))
(define-history-question history-total "How long the run took, ns." (%history-total))
(define-history-question history-event-count "How many events there are." (%history-events))
(define-history-question history-arc-count "How many arcs there are." (%history-arcs))
(define-history-question history-layer-count "How many layers of logical time there are." (%history-layers))
(define-history-question history-lost "How many events the recorder could not keep." (%history-lost))

;;; What there is few of

(define-checked-record <process>
  (make-process id name host parent pid thread rank lost unseen scheduled events begin end)
  process? "record of a process, which (process WHAT) gives"
  (id process-id) (name process-name) (host process-host) (parent process-parent) (pid process-pid)
  (thread process-thread) (rank process-rank) (lost process-lost) (unseen process-unseen)
  (scheduled process-scheduled?)
  (events process-event-count) (begin process-begin) (end process-end))

(define-checked-record <object>
  (make-object id name class process value events waited held)
  object? "record of an object, which (object WHAT) gives"
  (id object-id) (name object-name) (class object-class) (process object-process) (value object-value)
  (events object-event-count) (waited object-waited) (held object-held))

(define-checked-record <region>
  (make-region id name events)
  region? "record of a region, which (history-regions) has"
  (id region-id) (name region-name) (events region-event-count))

(define-checked-record <operation>
  (make-operation id name class)
  operation? "record of an operation, which (history-operations) has"
  (id operation-id) (name operation-name) (class operation-class))

(define-checked-record <site>
  (make-site id function file line module offset text)
  site? "record of a site, which (site NUMBER) gives"
  (id site-id) (function site-function) (file site-file) (line site-line) (module site-module) (offset site-offset)
  (text site-text))

(define-checked-record <timeline>
  (make-timeline id name model parameters)
  timeline? "timeline, which (history-timelines) has"
  (id timeline-id) (name timeline-name) (model timeline-model) (parameters timeline-parameters))

(define-checked-record <phase>
  (make-phase number name begin end events first-layer last-layer starts)
  phase? "phase, which (history-phases) has"
  (number phase-number) (name phase-name) (begin phase-begin) (end phase-end) (events phase-event-count)
  (first-layer phase-first-layer) (last-layer phase-last-layer) (starts phase-starts))

(define-syntax-rule (define-short-printer type word id name)
  (set-record-type-printer! type
    (lambda (record port) (format port "#<~a ~a ~s>" word (id record) (name record)))))
(define-short-printer <process> "process" process-id process-name)
(define-short-printer <object> "object" object-id object-name)
(define-short-printer <region> "region" region-id region-name)
(define-short-printer <operation> "operation" operation-id operation-name)
(define-short-printer <site> "site" site-id site-text)
(define-short-printer <timeline> "timeline" timeline-id timeline-name)
(define-short-printer <phase> "phase" phase-number phase-name)

(define-syntax-rule (make-all make rows)
  (map (lambda (row) (apply make row)) rows))

(define-history-question history-processes "The processes, with their spans on the current timeline."
  (make-all make-process (%processes)))
(define-history-question history-operations "The operations, those without events too."
  (make-all make-operation (%operations)))
(define-history-question history-objects "The objects."
  (map (lambda (id) (apply make-object (%object id))) (iota (%count-objects))))
(define-history-question history-regions "The regions that the program has marked: what its processes enter and leave."
  (map (lambda (id)
         (let ((entered (object id)))
           (make-region id (object-name entered) (object-event-count entered))))
       (%regions)))
(define-history-question history-sites "The places in the source that events come from; none if that is not known."
  (map (lambda (id) (apply make-site (%site id))) (iota (%count-sites))))
(define-history-question history-timelines "The timelines, measured first."
  (make-all make-timeline (%timelines)))

(define* (history-phases #:optional (definition "auto") history)
  "The phases of the current timeline, which DEFINITION tells: auto, tag, region:NAME, barrier:NAME,
collective:NAME, object:NAME."
  (check-text 'history-phases definition)
  (in-history history (lambda () (make-all make-phase (%phases definition)))))

(define (phase-start phase process)
  "The first event of the process in the phase or a later one, or #f."
  (let* ((number (process-number process)) (ordinal (phase-first phase number)))
    (and (< ordinal (count-of number)) (cons number ordinal))))

;; At which ordinal of a process a phase begins.
(define (phase-first phase number)
  (let ((starts (phase-starts phase)))
    (if (< number (vector-length starts))
        (vector-ref starts number)
        (no-process number))))

(define (event-phase event phases)
  "Which of all phases of a history the event is in."
  (check-event 'event-phase event)
  (check 'event-phase phases list? "list of phases, which (history-phases) gives")
  (let loop ((rest phases) (found #f))
    (if (and (pair? rest) (<= (phase-first (car rest) (car event)) (cdr event)))
        (loop (cdr rest) (car rest))
        found)))

(define (find-named what name records name-of)
  (or (find (lambda (record) (equal? (name-of record) name)) records)
      (fail "~a: there is no ~a ~s" (%history-path) what name)))

(define (process what)
  "The process of this number or name."
  (cond ((process? what) what)
        ((string? what) (find-named "process" what (history-processes) process-name))
        (else
         (apply make-process (%process (process-number what))))))

(define (no-process number)
  (fail "~a: there is no process ~a" (%history-path) number))

(define (object what)
  "The object of this number or name."
  (cond ((object? what) what)
        ((string? what) (find-named "object" what (history-objects) object-name))
        (else (apply make-object (%object (object-number what))))))

(define (site number)
  "The place in the source of this number."
  (apply make-site (%site (check-count 'site number))))

(define (timeline-number what)
  (cond ((timeline? what) (timeline-id what))
        ((not (or (symbol? what) (string? what)))
         (fail "~s is no timeline, which is given by its name or its record" what))
        (else
         (let ((name (if (symbol? what) (symbol->string what) what)))
           (timeline-id (find-named "timeline" name (history-timelines) timeline-name))))))

(define (current-timeline)
  "The timeline that times are of: measured, but within with-timeline."
  (find (lambda (timeline) (= (timeline-id timeline) (%timeline))) (history-timelines)))

(define (process-number what)
  (cond ((process? what) (process-id what))
        ((string? what) (process-id (process what)))
        ((count? what) what)
        (else (fail "~s is no process, which is given by its number, its name or its record" what))))

(define (object-number what)
  (cond ((object? what) (object-id what))
        ((string? what) (object-id (object what)))
        ((count? what) what)
        (else (fail "~s is no object, which is given by its number, its name or its record" what))))

;; The numbers of regions that are given by their names or records, or by one.
(define (region-numbers what)
  (map (lambda (one)
         (cond ((region? one) (region-id one))
               ((string? one) (region-id (find-named "region" one (history-regions) region-name)))
               (else (fail "~s is no region, which is given by its name or its record" one))))
       (if (list? what) what (list what))))

(define (operation-numbers what)
  (let ((operations (history-operations)))
    (map (lambda (name)
           (unless (or (symbol? name) (string? name))
             (fail "~s is no operation, which is given by its name" name))
           (operation-id (find-named "operation" (if (string? name) (string->symbol name) name) operations
                                     operation-name)))
         (if (list? what) what (list what)))))

(define (count-of number)
  (process-event-count (apply make-process (%process number))))

;;; Events

(define (event process ordinal)
  "The event of a process with this ordinal."
  (let ((event (cons (process-number process)
                     (check 'event ordinal time? "ordinal, which is a whole number from 0 on"))))
    (event-begin event)
    event))

(define (check-event who value)
  (check who value event? "event, which is (PROCESS . ORDINAL)"))

(define (event? object)
  "Whether this is a pair of two numbers, as events are."
  (and (pair? object) (exact-integer? (car object)) (exact-integer? (cdr object))))

(define (event-process event)
  "The number of its process."
  (if (event? event) (car event) (check-event 'event-process event)))

(define (event-ordinal event)
  "The how manieth of its process it is, from 0 on."
  (if (event? event) (cdr event) (check-event 'event-ordinal event)))


(define (event-site event)
  "The place in the source that the event comes from, or #f."
  (and=> (%event-site event) site))

(define (event-at process time)
  "The event of the process that contains this time, or else the last one before it, or else the first; #f if none."
  (%event-at (process-number process) (check-time 'event-at time)))

;;; Arcs

(define-checked-record <arc>
  (make-arc from to from-point kind object rule from-time to-time)
  arc? "arc, which (arcs-in EVENT) has"
  (from arc-from) (to arc-to) (from-point arc-from-point) (kind arc-kind) (object arc-object) (rule arc-rule)
  (from-time arc-from-known) (to-time arc-to-time))

(set-record-type-printer! <arc>
  (lambda (arc port) (format port "#<arc ~s -> ~s ~a>" (arc-from arc) (arc-to arc) (arc-rule arc))))

(define (arc-from-time arc)
  "When the point was from which the arc comes, on the current timeline."
  (or (arc-from-known arc)
      (if (eq? (arc-from-point arc) 'begin) (event-begin (arc-from arc)) (event-end (arc-from arc)))))

(define (arcs-in event)
  "The arcs that end at the event; those of a barrier come from its last member."
  (make-all make-arc (%arcs-in event)))

(define (arcs-out event)
  "The arcs that begin at the event."
  (make-all make-arc (%arcs-out event)))

(define (predecessors event)
  "The events that the event comes directly after, by its process and by arcs."
  (let ((others (map arc-from (arcs-in event))))
    (delete-duplicates
     (if (> (cdr event) 0) (cons (cons (car event) (1- (cdr event))) others) others))))

(define (successors event)
  "The events that come directly after the event, by its process and by arcs."
  (let ((others (map arc-to (arcs-out event))))
    (delete-duplicates
     (if (< (1+ (cdr event)) (count-of (car event))) (cons (cons (car event) (1+ (cdr event))) others) others))))

(define (concurrent? one other)
  "Whether neither of two events could have influenced the other."
  (eq? (relation one other) 'concurrent))

(define (happened-before? one other)
  "Whether the first event could have influenced the second, and not the other way."
  (eq? (relation one other) 'before))

(define (in-past? past event)
  "Whether the event is in what (past ...) gave."
  (let ((cut (cut-of 'in-past? past event)))
    (< (cdr event) cut)))

;; Where the past or future of an event is cut on the process of another one.
(define (cut-of who vector event)
  (check who vector u64vector? "cut, which (past EVENT) and (future EVENT) give")
  (if (< -1 (car (check-event who event)) (u64vector-length vector))
      (u64vector-ref vector (car event))
      (no-process (car event))))

(define (in-future? future event)
  "Whether the event is in what (future ...) gave."
  (let ((cut (cut-of 'in-future? future event)))
    (>= (cdr event) cut)))

;;; Folds

(define batch-size 4096)

(define (process-numbers what)
  (cond ((not what) (iota (length (%processes))))
        ((list? what) (map process-number what))
        (else (list (process-number what)))))

(define (make-filter from to operation object inside)
  (list (check-time "#:from" (or from 0)) (check-time "#:to" (or to end-of-time))
        (and operation (operation-numbers operation))
        (and object (object-id (object-of object)))
        (and inside (region-numbers inside))))

;; The record of an object that is there.
(define (object-of what) (if (object? what) what (object what)))

;; Which ordinals of a process lie in the past of an event and in the future of another one.
(define (make-bounds past-of future-of)
  (let ((past (and past-of (past past-of))) (future (and future-of (future future-of))))
    (lambda (number)
      (let ((count (count-of number)))
        (values (if future (u64vector-ref future number) 0)
                (if past (min count (u64vector-ref past number)) count))))))

(define (fold-process f init number first last filter)
  (let ((ordinals (make-u64vector batch-size)))
    (let next-batch ((first first) (result init))
      (if (>= first last)
          result
          (let* ((filled (%fill-ordinals! ordinals number first last filter))
                 (count (car filled)))
            (let loop ((i 0) (result result))
              (cond ((< i count)
                     (loop (1+ i) (f (cons number (u64vector-ref ordinals i)) result)))
                    ((and (zero? count) (<= (cdr filled) first)) result)
                    (else (next-batch (cdr filled) result)))))))))

(define* (fold-events f init #:key process from to operation object inside past-of future-of)
  "Calls (F EVENT RESULT) for each event, by process and ordinal, with INIT as the first RESULT, and gives the last one.
Only events of these processes, that touch the time from FROM to before TO, with one of these operations and with this
object, inside one of these regions; in the past of an event, or in the future of one."
  (check-procedure 'fold-events f "(F EVENT RESULT)")
  (let ((filter (make-filter from to operation object inside)) (bounds (make-bounds past-of future-of)))
    (fold (lambda (number result)
            (call-with-values (lambda () (bounds number))
              (lambda (first last) (fold-process f result number first last filter))))
          init (process-numbers process))))

(define (events . keys)
  "The events that fold-events would see, in a list."
  (reverse! (apply fold-events cons '() keys)))

(define arc-words 8)

;; Calls F for the arcs of a batch.
(define (fold-arc-batch f init number words count rules)
  (let loop ((i 0) (result init))
    (if (= i count)
        result
        (let* ((at (* i arc-words))
               (word (lambda (k) (u64vector-ref words (+ at k))))
               (rule (vector-ref rules (word 5))))
          (loop (1+ i)
                (f (make-arc (cons (word 0) (word 1)) (cons number (word 3)) (if (zero? (word 2)) 'begin 'end)
                             (cdr rule) (and (< (word 4) #xffffffff) (word 4)) (car rule) #f (word 6))
                   result))))))

(define (fold-process-arcs f init number last filter rules)
  (let next-batch ((first 0) (result init) (words (make-u64vector (* batch-size arc-words))))
    (if (>= first last)
        result
        (let* ((filled (%fill-arcs! words number first last filter))
               (count (car filled)) (next (cdr filled)))
          (if (and (zero? count) (< next last))
              ;; An event has more arcs than there is room for.
              (next-batch next result (make-u64vector (* 2 (u64vector-length words))))
              (next-batch next (fold-arc-batch f result number words count rules) words))))))

(define* (fold-arcs f init #:key process from to operation object inside)
  "Calls (F ARC RESULT) for each arc, by the event that it ends at. Only arcs to events of these processes, that touch
the time from FROM to before TO, with one of these operations and with this object, inside one of these regions."
  (check-procedure 'fold-arcs f "(F ARC RESULT)")
  (let ((filter (make-filter from to operation object inside)) (rules (%rules)))
    (fold (lambda (number result) (fold-process-arcs f result number (count-of number) filter rules))
          init (process-numbers process))))

(define* (event-columns process columns #:key from to operation object inside)
  "Columns of the events of a process as s64vectors, in the order of the list COLUMNS: ordinal, begin, end, duration,
waited, layer, bytes, operation, object, peer, cpu, sequence, value. What an event does not have is -1."
  (let ((names (%column-names)))
    (%columns (map (lambda (name)
                     (or (list-index (lambda (known) (eq? known name)) names)
                         (fail "there is no column ~s (~{~a~^, ~})" name names)))
                   (check 'event-columns columns list? "list of columns"))
              (process-number process)
              (make-filter from to operation object inside))))

;;; Windows

(define-checked-record <bucket>
  (make-bucket process begin end running waiting woken preempted outside holding events longest longest-ordinal)
  bucket? "bucket, which (window FROM TO #:summary? #t) gives"
  (process bucket-process) (begin bucket-begin) (end bucket-end) (running bucket-running) (waiting bucket-waiting)
  (woken bucket-woken) (preempted bucket-preempted) (outside bucket-outside) (holding bucket-holding)
  (events bucket-event-count) (longest bucket-longest)
  (longest-ordinal bucket-longest-ordinal))

(set-record-type-printer! <bucket>
  (lambda (bucket port)
    (format port "#<bucket ~a ~a..~a running ~a waiting ~a>" (bucket-process bucket) (bucket-begin bucket)
            (bucket-end bucket) (bucket-running bucket) (bucket-waiting bucket))))

(define (bucket-longest-event bucket)
  "The longest event that ends in the bucket, or #f."
  (and (> (bucket-event-count bucket) 0) (cons (bucket-process bucket) (bucket-longest-ordinal bucket))))

(define* (window from to #:key process (limit 10000) summary?)
  "The events that touch the time from FROM to before TO, if they are no more than LIMIT; else (or with SUMMARY?) what
they sum up to, in no more than LIMIT buckets."
  (let ((found (%window (check-time 'window from) (check-time 'window to) (process-numbers process)
                        (check-count 'window limit) summary?)))
    (if (car found) (make-all make-bucket (cdr found)) (cdr found))))

;;; SQL

(define (with-statement query parameters f)
  (let ((statement (or (%sql-prepare (check-text 'sql query)) (fail "sql: there is no statement in ~s" query))))
    (dynamic-wind
      (lambda () #f)
      (lambda () (%sql-bind statement parameters) (f statement))
      (lambda () (when statement (%sql-free statement) (set! statement #f))))))

(define (fold-sql f init query . parameters)
  "Calls (F ROW RESULT) for each row, a list, that a statement finds. Its ?1, ?2 ... are the parameters."
  (check-procedure 'fold-sql f "(F ROW RESULT)")
  (with-statement query parameters
    (lambda (statement)
      (let loop ((result init))
        (let* ((step (%sql-step statement)) (result (fold f result (car step))))
          (if (cdr step) result (loop result)))))))

(define (sql query . parameters)
  "The rows that a statement finds, as lists. Its ?1, ?2 ... are the parameters; #f is null."
  (reverse! (apply fold-sql cons '() query parameters)))

(define (sql-columns query)
  "The names of the columns that a statement gives."
  (with-statement query '() %sql-columns))

;;; Analyses

(include "analyses.scm")

;;; Marks

(define-checked-record <mark>
  (make-mark name process event begin end)
  mark? "mark, which (marks) has"
  (name mark-name)
  (process mark-process)
  (event mark-event)
  (begin span-begin)
  (end span-end))

(set-record-type-printer! <mark>
  (lambda (mark port)
    (if (mark-event mark)
        (format port "#<mark ~s ~s>" (mark-name mark) (mark-event mark))
        (format port "#<mark ~s ~a from ~a to ~a>" (mark-name mark) (mark-process mark) (span-begin mark)
                (span-end mark)))))

(define (mark-begin mark)
  "When what is marked begins, ns."
  (if (mark-event mark) (event-begin (mark-event mark)) (span-begin mark)))

(define (mark-end mark)
  "When what is marked ends, ns."
  (if (mark-event mark) (event-end (mark-event mark)) (span-end mark)))

(define (mark-text name)
  (name-of-name "marks" name))

;; Marks are of events of the measured timeline, as only those stay when others are made again.
(define (measured-event who event)
  (check-event who event)
  (if (zero? (%timeline)) event (event-origin event)))

(define (event-places who events)
  (map (lambda (event)
         (let ((measured (measured-event who event)))
           (list (car measured) #f (cdr measured) (cdr measured))))
       (if (list? events) events (list events))))

(define (span-place who process begin end)
  (list (process-number process) #t (check-time who begin) (check-time who end)))

(define (mark! events name)
  "Gives an event, or each of a list of events, a name that is kept."
  (%mark-add! (mark-text name) (event-places 'mark! events)))

(define (mark-span! process begin end name)
  "Gives a time of a process, ns of the measured timeline, a name that is kept."
  (%mark-add! (mark-text name) (list (span-place 'mark-span! process begin end))))

(define* (unmark! what #:optional name)
  "Takes a name (or all names) from events, or a name from all that has it, and tells how many marks those were."
  (if (or (symbol? what) (string? what))
      (%mark-remove! (mark-text what) #f)
      (%mark-remove! (and name (mark-text name)) (event-places 'unmark! what))))

(define* (unmark-span! process begin end #:optional name)
  "Takes a name (or all names) from a time of a process, and tells how many those were."
  (%mark-remove! (and name (mark-text name)) (list (span-place 'unmark-span! process begin end))))

(define* (marks #:optional name)
  "The marks, or those of a name, by name, process and place."
  (filter-map (match-lambda
                ((its process span? begin end)
                 (and (or (not name) (string=? (symbol->string its) (mark-text name)))
                      (if span?
                          (make-mark its process #f begin end)
                          (make-mark its process (cons process begin) #f #f)))))
              (%marks)))

(define (marked name)
  "The events that are marked with a name."
  (filter-map mark-event (marks name)))

(define (annotate! event text)
  "Writes a text to an event, which is kept, instead of the one that it had; #f: removes that."
  (%annotate! (measured-event 'annotate! event) (and text (check-text 'annotate! text))))

(define (annotations)
  "The texts that events have: a list of (EVENT . TEXT)."
  (%annotations))

;;; Analyses of users

;; Names, and lists of what it is for and the procedure.
(define analyses '())

(define (add-analysis! name text thunk)
  (set! analyses (append (filter (lambda (known) (not (eq? (car known) name))) analyses)
                         (list (list name text thunk)))))

(define-syntax define-analysis
  (syntax-rules ()
    ((_ (name) body ...)
     (begin
       (define (name) body ...)
       (add-analysis! 'name (procedure-documentation name) name)))))

(define (analysis-names)
  "The names of what define-analysis has defined, in that order."
  (map car analyses))

;; What a cell can hold outside: a whole number, a real one, a text, or nothing.
(define (plain-cell value)
  (cond ((or (not value) (string? value)) value)
        ((and (exact-integer? value) (< (abs value) (expt 2 63))) value)
        ((real? value) (exact->inexact value))
        ((symbol? value) (symbol->string value))
        ((record-name value))
        (else (object->string value))))

(define (record-name value)
  (cond ((process? value) (process-name value))
        ((object? value) (object-name value))
        ((site? value) (site-text value))
        (else #f)))

(define (check-rows name rows)
  (unless (and (list? rows) (every (lambda (row) (and (list? row) (pair? row) (every pair? row))) rows))
    (fail "~a: an analysis gives a list of rows, and a row is a list of (NAME . VALUE)" name))
  (for-each (lambda (row)
              (unless (equal? (map car row) (map car (car rows)))
                (fail "~a: a row has the names ~{~a~^, ~}, and the first one ~{~a~^, ~}" name (map car row)
                      (map car (car rows)))))
            rows))

;; The procedure of an analysis, or #f.
(define (analysis-procedure name)
  (and=> (assq (string->symbol name) analyses) third))

;; The names and the rows of an analysis, on the current timeline; #f if there is none of this name.
(define (run-analysis name)
  (let ((known (assq (string->symbol name) analyses)))
    (and known
         (let ((rows ((third known))))
           (check-rows name rows)
           (cons (if (null? rows) '() (map (lambda (cell) (format #f "~a" (car cell))) (car rows)))
                 (map (lambda (row) (map (lambda (cell) (plain-cell (cdr cell))) row)) rows))))))

;;; Output

(define (cell-text value)
  (cond ((not value) "")
        ((string? value) (visible value))
        ((and (real? value) (inexact? value)) (format #f "~,3f" value))
        (else (visible (format #f "~a" value)))))

(define (pad text width right?)
  (let ((space (make-string (max 0 (- width (string-length text))) #\space)))
    (if right? (string-append space text) (string-append text space))))

;; Whether a row has the names of its cells; a cell of another one can be an event, which is a pair, too.
(define (named-row? row)
  (and (pair? row)
       (every (lambda (cell) (and (pair? cell) (or (symbol? (car cell)) (string? (car cell))))) row)))

;; The names of the columns of rows, of which lists have none.
(define (first-names rows named?)
  (cond ((null? rows) '())
        (named? (map car (car rows)))
        (else (map (const "") (car rows)))))

(define (check-widths who rows names)
  (check who names list? "list of names of columns")
  (for-each (lambda (row)
              (unless (= (length row) (length names))
                (fail "~a: ~s has ~a columns, and there are ~a names" who row (length row) (length names))))
            rows)
  names)

(define* (print-table rows #:optional names)
  "Prints rows, as analyses and sql give them, as a table; lists need the names of their columns."
  (check 'print-table rows (lambda (rows) (and (list? rows) (every list? rows)))
         "list of rows, which analyses and sql give")
  (unless (null? rows)
    (let* ((named? (named-row? (car rows)))
           (names (check-widths 'print-table rows (or names (first-names rows named?))))
           (cells (map (lambda (row) (map (lambda (cell) (if named? (cdr cell) cell)) row)) rows))
           (titles (map (lambda (name) (format #f "~a" name)) names))
           (texts (cons titles (map (lambda (row) (map cell-text row)) cells)))
           (right? (map (lambda (i) (every (lambda (row) (or (not (list-ref row i)) (number? (list-ref row i)))) cells))
                        (iota (length names))))
           (widths (map (lambda (i) (apply max (map (lambda (row) (string-length (list-ref row i))) texts)))
                        (iota (length names)))))
      (for-each (lambda (row)
                  (display (string-trim-right (string-join (map pad row widths right?) "  ")))
                  (newline))
                texts))))

;;; The console of the browser, which is compiled without the macros that records are

(define (%event-counts)
  (list->vector (map process-event-count (history-processes))))

;; What a record leads to in the browser: its kind and number, or #f.
(define (%record-link value)
  (cond ((process? value) (cons "process" (process-id value)))
        ((object? value) (cons "object" (object-id value)))
        (else #f)))

(include "views.scm")
(include "rules.scm")
(include "commands.scm")
