;;; SPDX-License-Identifier: Apache-2.0
;;; How long each process communicated in each phase, as communication.scm has it, and how much of that was waiting.

;; Where the phases of a process end: a phase lasts from the last event before it to the last one in it.
(define (phase-times process phases)
  (let ((number (process-id process)) (count (process-event-count process)))
    (cons (process-begin process)
          (map (lambda (next)
                 (let* ((start (and next (phase-start next process))) (after (if start (cdr start) count)))
                   (if (> after 0) (event-end (cons number (1- after))) (process-begin process))))
               (append (cdr phases) '(#f))))))

(define (waits-by-phase process phases)
  (let ((waits (make-vector (length phases) 0)) (starts (map (cut phase-start <> process) phases)))
    (fold-events (lambda (e at)
                   (let ((at (let loop ((at at))
                               (let ((next (and (< (1+ at) (length phases)) (list-ref starts (1+ at)))))
                                 (if (and next (>= (cdr e) (cdr next))) (loop (1+ at)) at)))))
                     (vector-set! waits at (+ (event-waited e) (vector-ref waits at)))
                     at))
                 0 #:process process)
    (vector->list waits)))

(define* (communication-by-phase #:optional (definition "auto"))
  "How long each process communicated in each phase, and how much of that was waiting: rows, phase by phase."
  (let* ((phases (history-phases definition)) (timeline (timeline-name (current-timeline)))
         (processes (filter (lambda (p) (> (process-event-count p) 0)) (history-processes)))
         (columns (map (lambda (p)
                         (let ((times (phase-times p phases)))
                           (map list
                                (map - (cdr times) times)
                                (map - (covered-by-stretch
                                        (join-intervals (communication-intervals (process-id p) timeline)) times)
                                     (covered-by-stretch (off-intervals (process-id p) timeline) times))
                                (waits-by-phase p phases))))
                       processes)))
    (apply append-map
           (lambda (phase . cells)
             (map (lambda (p cell)
                    (match cell
                      ((time communication waiting)
                       (list (cons 'phase (phase-name phase)) (cons 'process p) (cons 'time time)
                             (cons 'communication communication) (cons 'waiting waiting)
                             (cons 'transfer (- communication waiting))))))
                  processes cells))
           phases columns)))

(define-analysis (phase-communication)
  "How long each process communicated in each phase, and how much of that was transfer."
  (communication-by-phase))
