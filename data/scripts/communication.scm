;;; SPDX-License-Identifier: Apache-2.0
;;; Communication against computation: a process communicates while it is in an event on an object that orders
;;; processes, while it waits, and while it holds an object, as far as it is not preempted or outside of the program.

;; How much time some intervals cover together; they come by their begins.
(define (covered-time intervals)
  (let loop ((rest intervals) (end 0) (sum 0))
    (if (null? rest)
        sum
        (let ((from (max end (first (car rest)))) (to (second (car rest))))
          (loop (cdr rest) (max end to) (+ sum (max 0 (- to from))))))))

;; When a process was preempted or outside of the program: its own time is neither communication nor computing then.
(define (off-intervals process timeline)
  (sql "SELECT begin, \"end\" FROM state WHERE process = ?1 AND timeline = ?2
          AND state IN ('preempted', 'outside', 'unseen') ORDER BY 1"
       process timeline))

;; When a process communicated, or was off.
(define (communication-intervals process timeline)
  (sql "SELECT e.begin, e.\"end\" FROM event AS e JOIN operation AS o ON o.name = e.operation
          WHERE e.process = ?1 AND e.timeline = ?2 AND e.object IS NOT NULL AND o.class <> 'mark'
        UNION ALL SELECT begin, begin + waited FROM event WHERE process = ?1 AND timeline = ?2 AND waited > 0
        UNION ALL SELECT begin, coalesce(\"end\", begin) FROM span WHERE process = ?1 AND timeline = ?2
        UNION ALL SELECT begin, \"end\" FROM state WHERE process = ?1 AND timeline = ?2
          AND state IN ('preempted', 'outside', 'unseen')
        ORDER BY 1"
       process timeline))

(define (off-time process timeline state . more)
  (match (sql "SELECT coalesce(sum(\"end\" - begin), 0) FROM state WHERE process = ?1 AND timeline = ?2
                 AND state IN (?3, ?4)" process timeline state (if (null? more) state (car more)))
    (((time)) time)))

(define-analysis (communication-share)
  "How long each process communicated, and how long it computed."
  (let ((timeline (timeline-name (current-timeline))))
    (map (lambda (row)
           (match row
             ((id begin end waiting)
              (let* ((covered (covered-time (communication-intervals id timeline)))
                     (preempted (off-time id timeline "preempted"))
                     (outside (off-time id timeline "outside" "unseen"))
                     (communication (- covered preempted outside)))
                (list (cons 'process (process id))
                      (cons 'span (- end begin))
                      (cons 'computing (- end begin covered))
                      (cons 'communication communication)
                      (cons 'waiting waiting)
                      (cons 'transfer (- communication waiting))
                      (cons 'preempted preempted)
                      (cons 'outside outside))))))
         (sql "SELECT process, min(begin), max(\"end\"), sum(waited) FROM event WHERE timeline = ?1
                 GROUP BY 1 ORDER BY 1" timeline))))
