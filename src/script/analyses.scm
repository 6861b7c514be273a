;;; SPDX-License-Identifier: Apache-2.0
;;; A part of the module (lightcone), which includes it: what the analyses of the commands find, as rows.
(export stats field critical-path critical-path-events approximate what-if findings races compare explain
        predict)

(define (field row name)
  "What a row, as analyses give them, has under this name."
  (let ((found (assq name (check 'field row row? "row, which is a list of (NAME . VALUE)"))))
    (if found (cdr found) (fail "there is no ~s, only ~{~a~^, ~}" name (map car row)))))

(define (row? value)
  (and (list? value) (every pair? value)))

;; Of what has never waited there is no longest wait.
(define (without-waits row)
  (if (eqv? (assq-ref row 'waits) 0)
      (map (lambda (pair) (if (string-prefix? "longest" (symbol->string (car pair))) (cons (car pair) #f) pair)) row)
      row))

;; Of what has no slack there is no least one.
(define (without-slack row)
  (map (lambda (pair) (if (equal? pair '(least . 0)) '(least . #f) pair)) row))

;; Where nobody knows when a process had no processor, it is not known either how long it had none.
(define (without-unknown row)
  (if (process-scheduled? (process (field row 'process)))
      row
      (map (lambda (pair) (if (eq? (car pair) 'preempted) (cons 'preempted #f) pair)) row)))

;; What rows can be of; the first is what they are of if nothing is said.
(define site-groups '(site function file module))
(define wait-groups '(object site stack process for pair holder))
(define slack-groups '(process object operation))

;; Whether these are what rows are to be of.
(define (group-number by groups)
  (list-index (lambda (name) (eq? name (or by (car groups)))) groups))

;; What has no table of values is told as the command tells it.
(define (report-table what by parts phases max-slack)
  (let* ((all (%report-tables))
         (place (or (list-index (lambda (one) (eq? (car one) what)) all)
                    (fail "stats: ~s is none of ~{~a~^, ~}" what
                          (delete-duplicates (append (map car all) (%tables))))))
         (words (cdr (list-ref all place))))
    (%report-table place
                   (cond ((not by) 0)
                         ((list-index (lambda (word) (eq? word by)) words))
                         ((null? words) (fail "stats: ~a has no #:by" what))
                         (else (fail "stats: ~s of ~a is none of ~{~a~^, ~}" by what words)))
                   parts phases max-slack)))

(define* (stats what #:key (from 0) (to 0) (parts 100) (limit 10) (phases "auto") by max-slack)
  "What `lightcone stats` shows, as rows of names and values; of parallelism one row. FROM and TO are of matrix,
object-uses, processors, waits and longest-waits, PARTS of what has a history, LIMIT of longest-waits, PHASES of
phases, BY of sites, waits, blame and slack, MAX-SLACK of slack: with no more of it, events are near (or 1 % of the
run)."
  (check-time "stats: #:from" from)
  (check-time "stats: #:to" to)
  (check-count "stats: #:parts" parts)
  (check-count "stats: #:limit" limit)
  (check-text "stats: #:phases" phases)
  (check-time "stats: #:max-slack" (or max-slack 0))
  (let ((place (list-index (lambda (name) (eq? name what)) (%tables))))
    (cond ((eq? what 'waiting) (map (compose without-unknown without-waits) (%table place from to parts)))
          ((eq? what 'objects) (map without-waits (%table place from to parts)))
          (place (%table place from to (if (eq? what 'longest-waits) limit parts)))
          ((eq? what 'parallelism) (%parallelism))
          ((eq? what 'phases) (%phase-statistics phases))
          ((and (eq? what 'sites) (group-number by site-groups))
           => (lambda (group) (map without-waits (%site-statistics group))))
          ((and (eq? what 'waits) (group-number by wait-groups))
           => (lambda (group) (%wait-groups group from to)))
          ((and (eq? what 'slack) (group-number by slack-groups))
           => (lambda (group)
                (map without-slack (%slack-statistics group (or max-slack (quotient (history-total) 100))))))
          (else (report-table what by parts phases max-slack)))))

(define (findings)
  "What is wrong with the trace, and what is odd about the run, as `lightcone check` tells it: rows of severity, count,
title, detail, place and event."
  (%findings))

(define* (races #:key (from 0) (to end-of-time))
  "Pairs of events whose order came by chance, as `lightcone races` has them, those that could change most first: rows
of kind, object, pairs, met, ordered, slack, apart, first and second (events), first-site and second-site. FROM and TO
are when the second event ends."
  (check-time "races: #:from" from)
  (check-time "races: #:to" to)
  (%races from to))

(define* (compare other #:key (limit 10))
  "What differs between the current timeline and the measured one of another history, as `lightcone compare` has it:
one row, whose order and times are rows of objects, sequence, events and lengths, each one of this side and one of the
other."
  (check 'compare other history? "history, which (current-history) or (open-history DIR) gives")
  (check-count "compare: #:limit" limit)
  (%compare (history-number other) limit))

(define* (explain event #:key (steps 10))
  "Why an event, named as on the measured timeline, is where it is on the current one, as `lightcone explain` has it:
one row, whose chain are rows of what it waited for, back in time, with at most STEPS waits. Times are ns; what MOVED is
GAINED - REMOVED + INHERITED + COST."
  (check-event 'explain event)
  (check-count "explain: #:steps" steps)
  (%explain event steps))

;; The kernel of a machine knows no more processors than these.
(define most-processors 1000000)

(define (processor-count? value)
  (and (exact-integer? value) (<= 1 value most-processors)))

(define* (predict processors #:key (quantum 0))
  "What the run of the current timeline would take on other numbers of processors, a list, as `lightcone predict` has
it: one row, whose predicted are rows of processors, time, low and high. QUANTUM is how long a process computes before
it makes room for others, in ns (3 ms)."
  (check 'predict processors (lambda (all) (and (pair? all) (list? all) (every processor-count? all)))
         "list of numbers of processors, from 1 on")
  (check-time "predict: #:quantum" quantum)
  (%predict processors quantum))

(define (critical-path)
  "The critical path of the current timeline: its summary, who has which share of it, and its stays on processes."
  (%critical-path))

(define* (critical-path-events #:optional (path (critical-path)))
  "The events on the critical path, in the order of time."
  (append-map
   (lambda (stay)
     (let* ((number (field stay 'process)) (first (field stay 'first)) (released (field stay 'released))
            (rest (map (lambda (i) (cons number (+ first i))) (iota (- (field stay 'last) first)))))
       (if (and released (or (null? rest) (< released first))) (cons (cons number released) rest) rest)))
   (field path 'stays)))

(define blind-policies '(preserve fifo lifo))

(define (make-approximation model blind name set scales keep?)
  (for-each (lambda (setting) (check-text "#:set" setting))
            (check "#:set" set list? "list of texts, which are as \"SECTION.KEY=VALUE\""))
  (%approximate (name-of-name "#:model" model)
                (or (list-index (lambda (policy) (eq? policy blind)) blind-policies)
                    (fail "~s is no policy for blind receives (~{~a~^, ~})" blind blind-policies))
                (and name (name-of-name "#:name" name))
                set scales keep?))

(define* (approximate #:key (model 'auto) name (set '()) (blind 'preserve))
  "Adds a timeline without the measurement to the history, as `lightcone approximate` does, and gives what it found."
  (make-approximation model blind name set '() #f))

(define* (what-if scales #:key (model 'auto) (name "what-if") (set '()) (blind 'preserve) approximate?)
  "Adds a timeline on which things take another time than they do: SCALES is a list of (NAME . FACTOR)."
  (define (scale? one)
    (and (pair? one) (or (string? (car one)) (symbol? (car one))) (real? (cdr one))))
  (make-approximation model blind name set
                      (map (lambda (scale) (format #f "~a=~a" (car scale) (exact->inexact (cdr scale))))
                           (check 'what-if scales (lambda (all) (and (list? all) (every scale? all)))
                                  "list of (NAME . FACTOR)"))
                      (not approximate?)))
