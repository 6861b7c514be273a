;;; SPDX-License-Identifier: Apache-2.0
;;; How many processes run at once: on average, and for how long each number of them.

;; When another number of processes began to run: pairs of time and number, from the begin of the run to its end.
(define (parallelism-changes)
  (let ((changes (make-hash-table)) (timeline (timeline-name (current-timeline))))
    (define (change! time by)
      (hash-set! changes time (+ by (hash-ref changes time 0))))
    (fold-sql (lambda (row none)
                (change! (first row) 1)
                (change! (second row) -1))
              #f "SELECT begin, \"end\" FROM state WHERE state = 'running' AND timeline = ?1" timeline)
    (for-each (lambda (end) (when end (change! end 0)))
              (car (sql "SELECT min(begin), max(\"end\") FROM state WHERE timeline = ?1" timeline)))
    (let loop ((rest (sort (hash-map->list cons changes) (lambda (a b) (< (car a) (car b))))) (level 0) (found '()))
      (match rest
        (() (reverse found))
        (((time . by) . others) (loop others (+ level by) (cons (cons time (+ level by)) found)))))))

;; How long each number of processes has run within the run, as pairs of number and ns, the lowest number first.
(define (parallelism-levels)
  (let ((times (make-hash-table)) (changes (parallelism-changes)))
    (unless (null? changes)
      (for-each (lambda (change next)
                  (hash-set! times (cdr change) (+ (hash-ref times (cdr change) 0) (- (car next) (car change)))))
                changes (cdr changes)))
    (sort (filter (lambda (pair) (> (cdr pair) 0)) (hash-map->list cons times)) (lambda (a b) (< (car a) (car b))))))

(define-analysis (average-parallelism)
  "How many processes ran on average, and for how long in total."
  (let* ((levels (parallelism-levels))
         (running (fold (lambda (pair sum) (+ sum (* (car pair) (cdr pair)))) 0 levels))
         (total (fold (lambda (pair sum) (+ sum (cdr pair))) 0 levels)))
    (list (list (cons 'average (if (zero? total) 0.0 (exact->inexact (/ running total))))
                (cons 'running_total running)
                (cons 'lowest (if (null? levels) 0 (car (first levels))))
                (cons 'highest (if (null? levels) 0 (car (last levels))))))))

(define-analysis (parallelism-histogram)
  "For how long each number of processes ran."
  (map (lambda (pair) (list (cons 'running (car pair)) (cons 'time (cdr pair)))) (parallelism-levels)))

(define-analysis (parallelism-trace)
  "How many processes ran from when on: every change."
  (map (lambda (change) (list (cons 'time (car change)) (cons 'running (cdr change)))) (parallelism-changes)))
