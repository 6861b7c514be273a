;;; SPDX-License-Identifier: Apache-2.0
;;; What each phase of a run has cost: its events, and how long processes waited in it.

(define-analysis (phase-waits)
  "The events of each phase, and how long processes waited in them."
  (let* ((phases (history-phases))
         (counts (make-vector (length phases) 0))
         (waits (make-vector (length phases) 0)))
    (fold-events (lambda (e none)
                   (let ((phase (event-phase e phases)))
                     (when phase
                       (let ((number (phase-number phase)))
                         (vector-set! counts number (1+ (vector-ref counts number)))
                         (vector-set! waits number (+ (event-waited e) (vector-ref waits number)))))))
                 #f)
    (map (lambda (phase)
           (list (cons 'phase (phase-name phase))
                 (cons 'begin (phase-begin phase))
                 (cons 'end (phase-end phase))
                 (cons 'events (vector-ref counts (phase-number phase)))
                 (cons 'waiting (vector-ref waits (phase-number phase)))))
         phases)))
