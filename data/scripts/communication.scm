;;; SPDX-License-Identifier: Apache-2.0
;;; Communication against computation: a process communicates while it is in an event on an object that orders
;;; processes, while it waits, and while it holds an object.

;; How much time some intervals cover together; they come by their begins.
(define (covered-time intervals)
  (let loop ((rest intervals) (end 0) (sum 0))
    (if (null? rest)
        sum
        (let ((from (max end (first (car rest)))) (to (second (car rest))))
          (loop (cdr rest) (max end to) (+ sum (max 0 (- to from))))))))

(define (communication-intervals process timeline)
  (sql "SELECT e.begin, e.\"end\" FROM event AS e JOIN operation AS o ON o.name = e.operation
          WHERE e.process = ?1 AND e.timeline = ?2 AND e.object IS NOT NULL AND o.class <> 'mark'
        UNION ALL SELECT begin, begin + waited FROM event WHERE process = ?1 AND timeline = ?2 AND waited > 0
        UNION ALL SELECT begin, coalesce(\"end\", begin) FROM span WHERE process = ?1 AND timeline = ?2
        ORDER BY 1"
       process timeline))

(define-analysis (communication-share)
  "How long each process communicated, and how long it computed."
  (let ((timeline (timeline-name (current-timeline))))
    (map (lambda (row)
           (match row
             ((id begin end waiting)
              (let ((communication (covered-time (communication-intervals id timeline))))
                (list (cons 'process (process id))
                      (cons 'span (- end begin))
                      (cons 'computing (- end begin communication))
                      (cons 'communication communication)
                      (cons 'waiting waiting)
                      (cons 'transfer (- communication waiting)))))))
         (sql "SELECT process, min(begin), max(\"end\"), sum(waited) FROM event WHERE timeline = ?1
                 GROUP BY 1 ORDER BY 1" timeline))))
