;;; SPDX-License-Identifier: Apache-2.0
;;; Rounds in logical time: who supplied something, in which layers others took it, and who took what was not there yet.

;; What takes, and what it has to come after.
(define supplies '((await . advance) (read-start . write-end)))

(define-analysis (logical-rounds)
  "What processes supplied to each other (advance, write-end), and in which layers others took it."
  (let ((rounds (make-hash-table)))
    (fold-arcs (lambda (arc none)
                 (let* ((from (arc-from arc)) (to (arc-to arc)) (layer (event-layer to)))
                   (when (eq? (assq-ref supplies (event-operation to)) (event-operation from))
                     (hash-set! rounds from
                                (match (hash-ref rounds from)
                                  (#f (list 1 layer layer))
                                  ((takers first last) (list (1+ takers) (min first layer) (max last layer))))))))
               #f #:operation (map car supplies))
    (map (match-lambda
           ((from takers first last)
            (list (cons 'layer (event-layer from)) (cons 'process (process (event-process from)))
                  (cons 'object (object (event-object from))) (cons 'sequence (event-sequence from))
                  (cons 'takers takers) (cons 'first_layer first) (cons 'last_layer last))))
         (sort (hash-map->list cons rounds)
               (lambda (a b) (let ((one (event-layer (car a))) (other (event-layer (car b))))
                               (if (= one other) (< (caar a) (caar b)) (< one other))))))))

(define (early-takes)
  "The events that took what nobody had supplied yet: no arc leads to them, though somebody supplied it later."
  (let ((supplied (make-hash-table)))
    (for-each (lambda (e) (hash-set! supplied (event-object e)
                                     (max (event-begin e) (hash-ref supplied (event-object e) 0))))
              (events #:operation (map cdr supplies)))
    (filter (lambda (e) (and (< (event-begin e) (hash-ref supplied (event-object e) 0)) (null? (arcs-in e))))
            (events #:operation (map car supplies)))))

(define* (mark-early-takes! #:optional (name 'early))
  "Marks the events that took what nobody had supplied yet, and gives their number."
  (let ((found (early-takes)))
    (mark! found name)
    (length found)))
