;;; SPDX-License-Identifier: Apache-2.0
;;; A part of the module (lightcone), which includes it: commands that scripts define, and the list of all definitions.
(export define-command command-names)

;; Names, and lists of the key, the title, what it is for, and the procedure.
(define commands '())

(define (add-command! name key title text make)
  (unless (or (not key) (string? key))
    (fail "~a: ~s is no key, which is as \"<Control><Shift>k\"" name key))
  (set! commands (append (filter (lambda (known) (not (eq? (car known) name))) commands)
                         (list (list name key title text make)))))

(define-syntax define-command
  (syntax-rules ()
    ((_ (name selection span) #:key key #:title title body ...)
     (begin
       (define (name selection span) body ...)
       (add-command! 'name key title (procedure-documentation name) name)))
    ((_ (name selection span) #:title title #:key key body ...)
     (define-command (name selection span) #:key key #:title title body ...))
    ((_ (name selection span) #:key key body ...)
     (define-command (name selection span) #:key key #:title #f body ...))
    ((_ (name selection span) #:title title body ...)
     (define-command (name selection span) #:key #f #:title title body ...))
    ((_ (name selection span) body ...)
     (define-command (name selection span) #:key #f #:title #f body ...))))

(define (command-names)
  "The names of what define-command has defined, in that order."
  (map car commands))

(define (command-procedure name)
  (and=> (assq (string->symbol name) commands) fifth))

(define (plain text)
  (if (string? text) text ""))

;; What is listed: kind, name, key, title and what it is for, as texts.
(define (definitions)
  (append (append-map (match-lambda
                        ((name title text make) (list "view" (symbol->string name) "" (plain title) (plain text))))
                      views)
          (append-map (match-lambda
                        ((name text thunk) (list "analysis" (symbol->string name) "" "" (plain text))))
                      analyses)
          (append-map (match-lambda
                        ((name key title text make)
                         (list "command" (symbol->string name) (plain key) (plain title) (plain text))))
                      commands)
          (append-map (match-lambda
                        ((name text) (list "rules" (symbol->string name) "" "" (plain text))))
                      rules)))

;; What a command found, as the line that is shown; events are marked with its name. #f: there is no such command.
(define (run-command name selection span)
  (let ((make (command-procedure name)))
    (and make
         (let ((found (make selection span)))
           (cond ((string? found) found)
                 ((event? found) (mark! (list found) name) (format #f "1 event is marked as ~a" name))
                 ((and (pair? found) (every event? found))
                  (mark! found name)
                  (format #f "~a events are marked as ~a" (length found) name))
                 ((null? found) "nothing is found")
                 ((or (unspecified? found) (boolean? found)) "")
                 ((number? found) (number->string found))
                 (else (fail "~a: a command gives a text, events to be marked, or nothing, not ~s" name found)))))))
