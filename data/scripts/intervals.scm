;;; SPDX-License-Identifier: Apache-2.0
;;; How much of some stretches of time intervals cover. Both come as lists of begin and end.

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
