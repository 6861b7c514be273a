;;; SPDX-License-Identifier: Apache-2.0
;;; The console of the browser: what is displayed, and the values of what is typed, go to it in parts, of which those
;;; that are events, objects or processes lead there.
(define-module (lightcone console)
  #:use-module (srfi srfi-1)
  #:export (set-view!))

;; Those two are parts of the program, and cannot be found while this is compiled.
(for-each (lambda (name) (module-use! (current-module) (resolve-interface name)))
          '((lightcone) (lightcone runner)))

(define emit (@@ (lightcone) %console-emit))
(define record-link (@@ (lightcone) %record-link))

;; The longest list of links: what comes after them is text.
(define most-links 200)

(define port
  (make-soft-port
   (vector (lambda (char) (emit "output" (string char)))
           (lambda (text) (emit "output" text))
           (lambda () #t)
           #f #f)
   "w"))

(set-current-output-port port)
(set-current-error-port port)
(current-warning-port port)

;;; Values

(define (link kind key value)
  (emit kind (string-append key "\n" (object->string value))))

;; By process: how many events there are.
(define event-counts #())

(define (is-event? value)
  (and (event? value)
       (<= 0 (event-process value) (- (vector-length event-counts) 1))
       (<= 0 (event-ordinal value) (- (vector-ref event-counts (event-process value)) 1))))

(define (is-link? value)
  (or (is-event? value) (record-link value)))

(define (show-part value)
  (cond ((is-event? value)
         (link "event" (format #f "~a ~a" (event-process value) (event-ordinal value)) value))
        ((record-link value)
         => (lambda (found) (link (car found) (number->string (cdr found)) value)))
        (else (write value port))))

(define (show-list values left first?)
  (unless (null? values)
    (unless first? (emit "output" " "))
    (if (> left 0)
        (begin
          (show-part (car values))
          (show-list (cdr values) (- left 1) #f))
        (let ((rest (object->string values)))
          (emit "output" (substring rest 1 (- (string-length rest) 1)))))))

(define (show value)
  (if (and (pair? value) (list? value) (is-link? (car value)))
      (begin
        (emit "output" "(")
        (show-list value most-links #t)
        (emit "output" ")"))
      (show-part value))
  (emit "output" "\n"))

(set-value-writer! show)

;;; What the browser shows

(define (set-view! selection span processes)
  "Defines what the browser shows, for what is typed next."
  (let ((all (list->vector (catch 'lightcone-error history-processes (const '())))))
    (set! event-counts (catch 'lightcone-error (@@ (lightcone) %event-counts) (const #())))
    (module-define! user-module 'selection selection)
    (module-define! user-module 'visible-span span)
    (module-define! user-module 'shown-processes
      (filter-map (lambda (number) (and (< number (vector-length all)) (vector-ref all number))) processes))))

(set-view! #f #f '())
