;;; SPDX-License-Identifier: Apache-2.0
;;; The transfer of each process in each phase: as a map of phases and processes, and as contours of that.

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
