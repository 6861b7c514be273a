;;; SPDX-License-Identifier: Apache-2.0
;;; Communication of each process in each phase: as rows, as a map of phases and processes, and as contours of that.

;; Intervals without what they have in common; they come by their begins.
(define (join-intervals intervals)
  (reverse (fold (lambda (interval joined)
                   (match (cons interval joined)
                     (((from to) (begin end) . rest)
                      (if (<= from end) (cons (list begin (max end to)) rest) (cons interval joined)))
                     (_ (cons interval joined))))
                 '() intervals)))

;; How much of each stretch disjoint intervals cover. TIMES are where a stretch ends and the next one begins.
(define (covered-by-stretch intervals times)
  (let loop ((times times) (rest intervals) (sum 0) (sums '()))
    (match times
      ((begin end . _)
       (match rest
         (((from to) . others)
          (let ((part (max 0 (- (min to end) (max from begin)))))
            (if (<= to end)
                (loop times others (+ sum part) sums)
                (loop (cdr times) rest 0 (cons (+ sum part) sums)))))
         (() (loop (cdr times) '() 0 (cons sum sums)))))
      (_ (reverse sums)))))

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
                                (covered-by-stretch (join-intervals (communication-intervals (process-id p) timeline))
                                                    times)
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

(define* (transfer-by-phase #:optional (definition "auto"))
  "The transfer of each process (a column p0, p1 ...) in each phase (a row): what a map or a surface of it shows."
  (define (column-name p)
    (string->symbol (format #f "p~a" (process-id p))))
  (let* ((rows (communication-by-phase definition))
         (width (count (lambda (p) (> (process-event-count p) 0)) (history-processes))))
    (let loop ((rest rows) (lines '()))
      (if (null? rest)
          (reverse lines)
          (let ((line (take rest width)))
            (loop (drop rest width)
                  (cons (cons (cons 'phase (field (car line) 'phase))
                              (map (lambda (row) (cons (column-name (field row 'process)) (field row 'transfer))) line))
                        lines)))))))

(define-analysis (transfer-map)
  "The transfer of each process in each phase: a column for each process, a row for each phase."
  (transfer-by-phase))

(define* (contours values #:optional (bands 8))
  "Of numbers, even bands between the least and the greatest, and how many numbers are in each: rows."
  (if (null? values)
      '()
      (let* ((low (apply min values)) (high (apply max values)) (counts (make-vector bands 0))
             (limit (lambda (band) (+ low (quotient (* band (- high low)) bands)))))
        (define (band-of value)
          (let loop ((band (1- bands))) (if (or (zero? band) (>= value (limit band))) band (loop (1- band)))))
        (for-each (lambda (value)
                    (let ((band (band-of value)))
                      (vector-set! counts band (1+ (vector-ref counts band)))))
                  values)
        (map (lambda (band)
               (list (cons 'band band) (cons 'from (limit band)) (cons 'to (limit (1+ band)))
                     (cons 'cells (vector-ref counts band))))
             (iota bands)))))

(define-analysis (transfer-contours)
  "In how many phases of processes the transfer was in which of eight even bands, from the least to the greatest."
  (contours (map (cut field <> 'transfer) (communication-by-phase))))
