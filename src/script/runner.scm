;;; SPDX-License-Identifier: Apache-2.0
;;; Runs what users write: their own module, errors with file and line, and a way out that no handler of theirs catches.
(define-module (lightcone runner)
  #:use-module (srfi srfi-1)
  #:use-module (ice-9 match)
  #:use-module (ice-9 rdelim)
  #:use-module (ice-9 regex)
  #:use-module (system base compile)
  #:use-module (system vm frame)
  #:use-module (system vm loader)
  #:use-module (system vm program)
  #:use-module ((system vm vm) #:select (call-with-stack-overflow-handler))
  #:export (run-file run-text run-code run-analysis run-view run-command complete? completions user-module
            set-value-writer!))

(define user-module (resolve-module '(lightcone-user) #f #:ensure #t))
(beautify-user-module! user-module)
(for-each (lambda (name) (module-use! user-module (resolve-interface name)))
          (append (@@ (lightcone) user-modules) '((lightcone documentation))))

;; Nothing that is loaded leaves files in the user's cache.
(set! %load-should-auto-compile #f)
(setlocale LC_ALL "")

;; A terminal gets visible characters only, whatever name of a trace is displayed; files and pipes get all as it is.
(define visible-lines (@@ (lightcone) %visible-lines))

(define (make-visible-port terminal)
  (make-soft-port
   (vector (lambda (char) (display (visible-lines (string char)) terminal))
           (lambda (text) (display (visible-lines text) terminal))
           (lambda () (force-output terminal))
           #f #f)
   "w"))

(when (isatty? (current-output-port))
  (set-current-output-port (make-visible-port (current-output-port))))

;;; The way out

(define stop-tag (make-prompt-tag "stop"))
(define running? #f)
(define pass-message (@@ (lightcone) %take-reason))

(define (stop)
  (when running?
    (let ((reason (pass-message)))
      (when reason
        (abort-to-prompt stop-tag reason)))))

((@@ (lightcone) %set-stop!) stop)

;;; Errors and their places

;; The names of what users wrote, as sources have them.
(define known-names (make-hash-table))

(define (place-text file line)
  (and file line (hash-ref known-names file) (format #f "~a:~a: " file (1+ line))))

(define (frame-place frame)
  (let ((source (frame-source frame)))
    (and source (place-text (source:file source) (source:line source)))))

(define (stack-place stack)
  (let loop ((frame (and stack (> (stack-length stack) 0) (stack-ref stack 0))))
    (and frame
         (or (frame-place frame)
             (loop (frame-previous frame))))))

(define signature-of (@@ (lightcone documentation) signature-of))

;; The form that is being evaluated: where an error was if nothing nearer is known, as after a tail call.
(define form-place #f)

(define (syntax-place source)
  (cond ((vector? source) (place-text (vector-ref source 0) (vector-ref source 1)))
        ((list? source) (place-text (assq-ref source 'filename) (assq-ref source 'line)))
        (else #f)))

(define (print-error key arguments)
  (string-trim-both (call-with-output-string (lambda (port) (print-exception port #f key arguments)))))

;; The name of the procedure that was called with keys that it does not have.
(define (stack-called stack)
  (let loop ((frame (and stack (> (stack-length stack) 0) (stack-ref stack 0))))
    (and frame
         (let ((before (frame-previous frame)))
           (if (eq? (frame-procedure-name frame) 'raise-exception)
               (and before (frame-procedure-name before))
               (loop before))))))

;; What is wrong with a call, and how it is written; #f if what was called is none of Lightcone's.
(define (call-text arguments called)
  (define (say name text)
    (let ((signature (and name (signature-of name))))
      (and signature
           (eq? (module-ref user-module name #f) (module-ref (resolve-interface '(lightcone)) name #f))
           (format #f "~a: ~a; it is written as ~a" name text signature))))
  (match arguments
    ((_ _ ((? procedure? procedure)) . _) (say (procedure-name procedure) "wrong number of arguments"))
    ((_ _ _ (key . _)) (say called (format #f "there is no key ~s" key)))
    (_ #f)))

(define (error-text key arguments place called)
  (define (at place text)
    (string-append (or place form-place "") text))
  (case key
    ((syntax-error)
     (let* ((form (fourth arguments)) (part (fifth arguments))
            (signature (and (pair? form) (not part) (signature-of (car form)))))
       (at (syntax-place (third arguments))
           (if signature
               (format #f "~a: it is written as ~a" (car form) signature)
               (format #f "~a in ~s" (second arguments) (or part form))))))
    ((read-error) (print-error key arguments))
    ((wrong-number-of-args keyword-argument-error)
     (at place (or (call-text arguments called) (print-error key arguments))))
    ((lightcone-error) (at place (apply format #f (second arguments) (third arguments))))
    (else (at place (print-error key arguments)))))

(define (quit-status arguments)
  (cond ((null? arguments) 0)
        ((eq? (car arguments) #t) 0)
        ((exact-integer? (car arguments)) (logand (car arguments) 255))
        ((car arguments) 0)
        (else 1)))

(define (call-limited thunk)
  (call-with-stack-overflow-handler ((@@ (lightcone) %stack-words))
    thunk
    (lambda () (scm-error 'stack-overflow #f "Stack overflow: a procedure calls itself without end" '() #f))))

(define (run thunk)
  "Gives (good), (failed MESSAGE), (stopped REASON) or (exited STATUS)."
  (let ((place #f) (called #f))
    (define (look key . arguments)
      (unless (eq? key 'quit)
        ((@@ (lightcone) %await-stop))
        (let ((stack (make-stack #t)))
          (set! place (stack-place stack))
          (set! called (stack-called stack)))))
    (define (tell key . arguments)
      (if (eq? key 'quit)
          (list 'exited (quit-status arguments))
          (list 'failed (error-text key arguments place called))))
    (let ((result
           (call-with-prompt stop-tag
             (lambda ()
               (dynamic-wind
                 (lambda () (set! running? #t))
                 (lambda ()
                   (catch #t
                     (lambda ()
                       (call-limited thunk)
                       ((@@ (lightcone) %await-stop))
                       (list 'good))
                     tell look))
                 (lambda () (set! running? #f))))
             (lambda (continuation reason) (list 'stopped reason)))))
      (catch #t force-output (const #f))
      (unless (eq? (car result) 'good)
        (gc))
      result)))

;;; Files and texts

;; The first line may say which program runs the file.
(define (skip-first-line port)
  (when (eqv? (peek-char port) #\#)
    (read-char port)
    (if (eqv? (peek-char port) #\!)
        (begin
          (read-line port)
          (when (eqv? (peek-char port) #\!)
            (read-line port)))
        (unread-char #\# port))))

(define (write-value value)
  (write value)
  (newline))

(define (set-value-writer! procedure)
  (set! write-value procedure))

(define (print-values values)
  (for-each (lambda (value)
              (unless (unspecified? value)
                (write-value value)))
            values))

;; Forms are compiled one by one, so that each sees the macros of those before it.
(define (run-forms port name print?)
  (let ((form (begin
                (set! form-place #f)
                (read port))))
    (unless (eof-object? form)
      ;; Lists know their place; other forms end where the port is.
      (set! form-place (place-text name (or (source-property form 'line) (port-line port))))
      (call-with-values
          (load-thunk-from-memory (compile form #:to 'bytecode #:env (current-module) #:warning-level 0))
        (lambda values
          ((@@ (lightcone) %await-stop))
          (when print? (print-values values))))
      (run-forms port name print?))))

;; What is being run: a script finds others beside itself.
(define running-name (make-parameter ""))

(define (load-file path)
  (hash-set! known-names path #t)
  (save-module-excursion
   (lambda ()
     (set-current-module user-module)
     (call-with-input-file path
       (lambda (port)
         (set-port-filename! port path)
         (skip-first-line port)
         (parameterize ((running-name path))
           (run-forms port path #f)))
       #:encoding "UTF-8"))))

(define (run-file path)
  (run (lambda () (load-file path))))

;; Guile's own looks for a file that has no absolute name in the folders of its modules only.
(define (load-beside name)
  "Runs another file; a name that is not absolute is one beside the script."
  (let ((place form-place) (folder (dirname (running-name))))
    (load-file (if (or (absolute-file-name? name) (string=? folder ".")) name (in-vicinity folder name)))
    (set! form-place place)))

(module-define! user-module 'load load-beside)

;; Code was compiled by compile-own.scm, which takes a fifth of the time that the text of a script does.
(define (run-code code)
  (run (lambda ()
         (save-module-excursion
          (lambda ()
            (set-current-module user-module)
            ((load-thunk-from-memory code)))))))

(define (run-text text name print?)
  (hash-set! known-names name #t)
  (run (lambda ()
         (set-current-module user-module)
         (call-with-input-string text
           (lambda (port)
             (set-port-filename! port name)
             (parameterize ((running-name name))
               (run-forms port name print?)))))))

;; An error of which nothing nearer is known is told as one of the definition.
(define (procedure-place procedure)
  (let ((source (and procedure (program-source procedure 0))))
    (and source (place-text (source:file source) (source:line source)))))

;; Like run, but a good end has what was found: (good . FOUND), or (good) if that is #f.
(define (run-defined procedure timeline thunk)
  (set! form-place (procedure-place procedure))
  (let* ((found #f)
         (result (run (lambda () (set! found ((@@ (lightcone) in-timeline) timeline thunk))))))
    (if (and found (eq? (car result) 'good)) (cons 'good found) result)))

;; (good NAMES . ROWS), or (good) if there is no such analysis.
(define (run-analysis name timeline)
  (run-defined ((@@ (lightcone) analysis-procedure) name) timeline
               (lambda () ((@@ (lightcone) run-analysis) name))))

;; (good . DATA), or (good) if there is no such view.
(define (run-view name timeline from to processes)
  (run-defined ((@@ (lightcone) view-procedure) name) timeline
               (lambda () ((@@ (lightcone) make-view) name from to processes))))

;; (good . LINE), or (good) if there is no such command.
(define (run-command name timeline process ordinal from to)
  (run-defined ((@@ (lightcone) command-procedure) name) timeline
               (lambda ()
                 ((@@ (lightcone) run-command) name (and process (cons process ordinal)) (cons from to)))))

(define (complete? text)
  (catch 'read-error
    (lambda ()
      (call-with-input-string text
        (lambda (port)
          (let loop ()
            (unless (eof-object? (read port))
              (loop)))))
      #t)
    (lambda (key who message . rest)
      (not (string-match "end of (input|file)|unterminated" message)))))

(define (completions prefix)
  (sort (delete-duplicates
         (module-names user-module prefix))
        string<?))

(define (module-names module prefix)
  (define (names-of one)
    (hash-fold (lambda (symbol variable names)
                 (let ((name (symbol->string symbol)))
                   (if (string-prefix? prefix name) (cons name names) names)))
               '() (module-obarray one)))
  (append-map names-of (cons module (module-uses module))))
