;;; SPDX-License-Identifier: Apache-2.0
;;; How many processes ran on average, part by part of the run.

(define* (parallelism-averages #:optional (parts 40))
  "How many processes ran on average in each of so many parts of the run: rows."
  (let ((changes (parallelism-changes)))
    (if (null? changes)
        '()
        (let* ((begin (car (first changes))) (length (- (car (last changes)) begin)))
          (let loop ((part 0) (rest changes) (sum 0) (rows '()))
            (let ((from (+ begin (quotient (* part length) parts)))
                  (to (+ begin (quotient (* (1+ part) length) parts))))
              (match rest
                (_ (=> next) (if (= part parts) (reverse rows) (next)))
                (((time . level) (after . more) . others)
                 (let ((sum (+ sum (* level (max 0 (- (min after to) (max time from)))))))
                   (if (<= after to)
                       (loop part (cdr rest) sum rows)
                       (loop (1+ part) rest 0 (cons (average-row from to sum) rows)))))
                (_ (loop (1+ part) rest 0 (cons (average-row from to sum) rows))))))))))

(define (average-row from to sum)
  (list (cons 'begin from) (cons 'end to) (cons 'running sum)
        (cons 'average (if (= from to) 0.0 (exact->inexact (/ sum (- to from)))))))

(define-analysis (parallelism-average)
  "How many processes ran on average in each of 40 parts of the run."
  (parallelism-averages))
