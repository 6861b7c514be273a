;;; SPDX-License-Identifier: Apache-2.0
;;; How a run begins: who made each process and when, and when it had first waited for others and could go on.

(define (first-event process good?)
  (let loop ((ordinal 0))
    (and (< ordinal (process-event-count process))
         (let ((e (cons (process-id process) ordinal)))
           (if (good? e) e (loop (1+ ordinal)))))))

(define-analysis (startup)
  "When each process was made, when it started, and how long it waited before it could first go on."
  (map (lambda (p)
         (let* ((maker (and (> (process-event-count p) 0)
                            (find (lambda (e) (eq? (event-operation e) 'create))
                                  (map arc-from (arcs-in (cons (process-id p) 0))))))
                (first (first-event p (lambda (e) (> (event-waited e) 0)))))
           (list (cons 'process p)
                 (cons 'maker (and maker (process (event-process maker))))
                 (cons 'made (and maker (event-begin maker)))
                 (cons 'started (process-begin p))
                 (cons 'waited (and first (event-waited first)))
                 (cons 'released (and first (event-end first))))))
       (history-processes)))
