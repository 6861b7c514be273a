;;; SPDX-License-Identifier: Apache-2.0
;;; A part of the module (lightcone), which includes it: rules that scripts define. They become the text of a file of
;;; rules (docs/rules.md), so that the reader of those is the only one that knows what can be in them.
(export define-rules rules-names forget-rules!)

;; Names, and what they are for.
(define rules '())

(define (rule-word value)
  (match value
    (#t "true")
    (#f "false")
    ((? symbol?) (symbol->string value))
    ((? string?) value)
    ((and (? number?) (? exact-integer?)) (number->string value))
    (_ #f)))

(define (rule-line? text)
  (not (string-any (lambda (char) (eq? (char-general-category char) 'Cc)) text)))

;; A list is a list of names, which ; separates.
(define (rule-value name key value)
  (let ((texts (map rule-word (if (list? value) value (list value)))))
    (unless (and (every string? texts) (every rule-line? texts)
                 (or (not (list? value)) (not (any (lambda (text) (string-any #\; text)) texts))))
      (fail "~a: ~a is a text of one line, a name, a whole number, #t, #f or a list of names, not ~s" name key value))
    (string-join texts ";")))

(define (rule-keys name clause keys)
  (match keys
    (() '())
    (((? keyword? key) value . rest)
     (cons (format #f "~a=~a\n" (keyword->symbol key) (rule-value name key value)) (rule-keys name clause rest)))
    (_ (fail "~a: what follows ~s in ~s is no #:KEY with a value" name (car keys) clause))))

(define (rule-group name clause)
  (match clause
    (((? symbol? sort) (= rule-word (? string? which)) . keys)
     (unless (and (rule-line? which) (not (string-any (char-set #\[ #\]) which)))
       (fail "~a: ~s is no name for rules" name which))
     (string-append (format #f "\n[~a ~a]\n" sort which) (string-join (rule-keys name clause keys) "")))
    (_ (fail "~a: ~s is no rule, which is as (class NAME #:summary \"...\")" name clause))))

(define (add-rules! name source clauses)
  (let* ((text (and (pair? clauses) (string? (car clauses)) (car clauses)))
         (groups (map (lambda (clause) (rule-group name clause)) (if text (cdr clauses) clauses))))
    (when (null? groups)
      (fail "~a: there are no rules, which are as (class NAME #:summary \"...\")" name))
    (%define-rules! (symbol->string name) (or source "")
                    (string-append (if text (format #f "# ~a\n" (string-join (string-split text #\newline) "\n# ")) "")
                                   (string-join groups "")))
    (set! rules (append (filter (lambda (known) (not (eq? (car known) name))) rules) (list (list name text))))))

(define-syntax define-rules
  (lambda (form)
    (define source
      (match (syntax-source form)
        ((? vector? place) (vector-ref place 0))
        ((? pair? place) (assq-ref place 'filename))
        (_ #f)))
    (syntax-case form ()
      ((_ name clause ...)
       (identifier? #'name)
       #`(add-rules! 'name #,(datum->syntax form source) `(clause ...))))))

(define (rules-names)
  "The names of what define-rules has defined, in that order."
  (map car rules))

(define (forget-rules! name)
  "Removes the file of rules that define-rules has written for the trace, or else the one for all traces of the user."
  (check 'forget-rules! name symbol? "name of rules, which is a symbol")
  (set! rules (filter (lambda (known) (not (eq? (car known) name))) rules))
  (%forget-rules! (symbol->string name)))
