;;; SPDX-License-Identifier: Apache-2.0
;;; Compiles scripts that are a part of the program, while it is built: MODULE.scm OUTPUT.go SCRIPT.scm ...
;;; They are compiled as the runner would, form by form in the module of users, whose macros are those of (lightcone).
(use-modules (ice-9 match) (ice-9 rdelim) (ice-9 regex) (srfi srfi-1) (system base compile))

(define (file-text path)
  (call-with-input-file path read-string #:encoding "UTF-8"))

;; What C defines is not there while the program is built, and is not called.
(define (define-missing! module path)
  (for-each (lambda (found)
              (let ((name (string->symbol (match:substring found))))
                (unless (module-variable module name)
                  (module-define! module name (const #f)))))
            (list-matches "%[a-z0-9_!?>-]+" (file-text path))))

(match (cdr (command-line))
  ((path rest ...)
   (let ((module (resolve-module '(lightcone) #f #:ensure #t))
         (user-module (resolve-module '(lightcone-user) #f #:ensure #t))
         (n (quotient (length rest) 2)))
     (define-missing! module path)
     (save-module-excursion (lambda () (primitive-load path)))
     (beautify-user-module! user-module)
     (for-each (lambda (name) (module-use! user-module (resolve-interface name)))
               (module-ref module 'user-modules))
     (for-each (lambda (output script)
                 (compile-file script #:output-file output #:env user-module #:opts '() #:warning-level 0))
               (take rest n) (drop rest n)))))
