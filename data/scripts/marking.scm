;;; SPDX-License-Identifier: Apache-2.0
;;; Parts of a history to be seen in its pictures: what follows from an event, and the critical path.

(define* (mark-descendants! event #:optional (name 'descendants))
  "Marks all events that could not have ended as they did without this one, and gives their number."
  (let ((found (remove (lambda (other) (equal? other event)) (events #:future-of event))))
    (mark! found name)
    (length found)))

(define* (mark-critical-path! #:optional (name 'critical-path))
  "Marks the events on the critical path of the current timeline, and gives their number."
  (let ((found (critical-path-events)))
    (mark! found name)
    (length found)))
