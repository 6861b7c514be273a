;;; SPDX-License-Identifier: Apache-2.0
;;; A part of the module (lightcone), which includes it: views that scripts define, made of a few shapes in the
;;; coordinates of their data.
(export define-view view-names shown-processes
        axis rect line polygon point text plot plot-series plot-bars plot-matrix plot-table plot-graph
        plot-space-time process-row event-box span-box arc-line)

;;; Views of users

;; Names, and lists of the title, what it is for, and the procedure.
(define views '())

(define (add-view! name title text make)
  (set! views (append (filter (lambda (known) (not (eq? (car known) name))) views)
                      (list (list name title text make)))))

(define-syntax define-view
  (syntax-rules ()
    ((_ (name history span) #:title title body ...)
     (begin
       (define (name history span) body ...)
       (add-view! 'name title (procedure-documentation name) name)))
    ((_ (name history span) body ...)
     (define-view (name history span) #:title #f body ...))))

(define (view-names)
  "The names of what define-view has defined, in that order."
  (map car views))

;; Those that are shown while a view is made; #f: all.
(define shown (make-parameter #f))

(define (shown-processes)
  "The processes that a view is to show, in their order."
  (let ((all (history-processes)))
    (if (shown)
        (let ((by-id (list->vector all)))
          (map (lambda (id) (vector-ref by-id id)) (shown)))
        all)))

;;; Shapes

(define-record-type <shape>
  (make-shape shape series amount text process ordinal places)
  shape?
  (shape shape-kind) (series shape-series) (amount shape-amount) (text shape-text)
  (process shape-process) (ordinal shape-ordinal) (places shape-places))

(define (check-real what value)
  (unless (and (real? value) (finite? value))
    (fail "~a: ~s is no number that has a place" what value))
  (exact->inexact value))

(define (finite? value)
  (not (or (inf? value) (nan? value))))

(define (flatten what places)
  (append-map (lambda (place)
                (match place
                  ((x . (? real? y)) (list (check-real what x) (check-real what y)))
                  ((x y . rest) (list (check-real what x) (check-real what y)))
                  (else (fail "~a: ~s is no place, which is (X . Y)" what place))))
              places))

(define (name-text what value)
  (cond ((string? value) value)
        ((symbol? value) (symbol->string value))
        ((number? value) (number->string value))
        ((process? value) (process-name value))
        ((object? value) (object-name value))
        (else (fail "~a: ~s is no text" what value))))

;; What C keeps for no process and no event.
(define most-number #xffffffff)
(define end-of-events #xffffffffffffffff)

(define (checked-shape what kind places series amount text event process)
  (unless (or (not event)
              (and (event? event) (< -1 (event-process event) most-number) (< -1 (event-ordinal event) end-of-events)))
    (fail "~a: ~s is no event" what event))
  (make-shape kind (and series (name-text what series)) (if amount (check-real what amount) -1.0)
              (if text (name-text what text) "")
              (cond (event (event-process event)) (process (shape-process-number what process)) (else #f))
              (and event (event-ordinal event))
              (flatten what places)))

(define (shape-process-number what process)
  (let ((number (process-number process)))
    (unless (< number most-number)
      (fail "~a: ~s is no process" what process))
    number))

(define* (rect x0 y0 x1 y1 #:key series share text event process)
  "A rectangle between two corners. SHARE, from 0 to 1: a shade for an amount, instead of a series."
  (checked-shape 'rect 0 (list (cons x0 y0) (cons x1 y1)) series share text event process))

(define* (line places #:key series width text event process)
  "A line through places, which are (X . Y)."
  (unless (and (list? places) (pair? places) (pair? (cdr places)))
    (fail "line: ~s has no two places" places))
  (checked-shape 'line 1 places series width text event process))

(define* (polygon places #:key series text event process)
  "An area around which these places are."
  (unless (and (list? places) (> (length places) 2))
    (fail "polygon: ~s has no three places" places))
  (checked-shape 'polygon 2 places series #f text event process))

(define* (point x y #:key series size text event process)
  "A marker at a place, SIZE pixels wide."
  (checked-shape 'point 3 (list (cons x y)) series size text event process))

(define* (text x y words #:key (align 0) to event process)
  "Words at a place, or, with the other corner TO, in a cell. ALIGN: 0 to the left, 1 to the right."
  (checked-shape 'text 4 (if to (list (cons x y) to) (list (cons x y))) #f align words event process))

;;; Axes and plots

(define-record-type <axis>
  (make-axis title kind from to names)
  axis?
  (title axis-title) (kind axis-kind) (from axis-from) (to axis-to) (names axis-names))

(define kinds '(number time duration count share bytes names none))

(define* (axis #:key (title "") names (kind (if names 'names 'number)) from to)
  "An axis: what its numbers are, and from where to where they go; without FROM and TO as far as the shapes."
  (unless (memq kind kinds)
    (fail "axis: ~s is none of ~{~a~^, ~}" kind kinds))
  (make-axis (name-text 'axis title) kind (and from (check-real 'axis from)) (and to (check-real 'axis to))
             (map (lambda (name) (name-text 'axis name)) (or names '()))))

(define-record-type <plot>
  (make-plot shapes x y ramp notes tell)
  plot?
  (shapes plot-shapes) (x plot-x) (y plot-y) (ramp plot-ramp) (notes plot-notes) (tell plot-tell))

(define* (plot shapes #:key (x (axis)) (y (axis)) ramp (notes '()) (tell ""))
  "What a view shows: shapes, in the order in which they are painted, and axes. RAMP: what shares are of, with the texts
of the lowest and the highest one. TELL: what is to be seen, in words."
  (check "plot: #:x" x axis? "axis, as (axis ...) makes it")
  (check "plot: #:y" y axis? "axis, as (axis ...) makes it")
  (unless (and (list? shapes) (every shape? shapes))
    (fail "plot: ~s is no list of shapes"
          (if (list? shapes) (find (lambda (one) (not (shape? one))) shapes) shapes)))
  (make-plot shapes x y ramp notes tell))

;;; Data

(define (value-of cell) (if (pair? cell) (car cell) cell))
(define (event-of cell) (and (pair? cell) (cdr cell)))

;; A list of lists, each with at least so many members.
(define (check-lists who value least what)
  (check who value
         (lambda (lists) (and (list? lists) (every (lambda (one) (and (list? one) (>= (length one) least))) lists)))
         what))

(define (value-text unit value)
  (case unit
    ((duration time) (duration-text (max 0 (inexact->exact (round value)))))
    ((bytes) (bytes-text (max 0 (inexact->exact (round value)))))
    ((share) (format #f "~,1f %" (* 100 value)))
    (else (if (exact-integer? value) (number->string value) (format #f "~,3f" value)))))

(define* (plot-series series #:key (x (axis)) (y (axis)) (notes '()) (tell ""))
  "Lines: a list of (NAME PLACE ...), where a place is (X . Y) or (X Y EVENT)."
  (check-lists 'plot-series series 1 "list of (NAME PLACE ...)")
  (define (event-at-place place)
    (match place ((x y event) event) (else #f)))
  (plot (append-map
         (match-lambda
           ((name places ...)
            (append
             (if (and (pair? places) (pair? (cdr places))) (list (line places #:series name)) '())
             (filter-map (lambda (place)
                           (and (or (event-at-place place) (null? (cdr places)))
                                (let ((at (flatten 'plot-series (list place))))
                                  (point (first at) (second at) #:series name #:size 5
                                         #:event (event-at-place place)))))
                         places))))
         series)
        #:x x #:y y #:notes notes #:tell tell))

(define* (plot-bars rows #:key (unit 'number) (title "") (series '("")) (notes '()) (tell ""))
  "Bars, one below the other: a list of (NAME VALUE ...) with a value, or (VALUE . EVENT), for each series."
  (check-lists 'plot-bars rows 1 "list of (NAME VALUE ...)")
  (check "plot-bars: #:series" series list? "list of names")
  (for-each (lambda (row) (for-each (lambda (cell) (check-real 'plot-bars (value-of cell))) (cdr row))) rows)
  (define (row-shapes number row)
    (let loop ((cells (cdr row)) (names series) (from 0) (shapes '()))
      (if (or (null? cells) (null? names))
          (reverse shapes)
          (let* ((value (value-of (car cells))) (to (+ from (check-real 'plot-bars value))))
            (loop (cdr cells) (cdr names) to
                  (cons (rect from (+ number 0.15) to (+ number 0.85) #:series (car names)
                              #:event (event-of (car cells))
                              #:text (format #f "~a~a: ~a" (name-text 'plot-bars (car row))
                                             (if (equal? (car names) "") "" (format #f ", ~a" (car names)))
                                             (value-text unit value)))
                        shapes))))))
  (define highest
    (fold (lambda (row most) (max most (fold + 0 (map value-of (cdr row))))) 0 rows))
  (plot (append-map row-shapes (iota (length rows)) rows)
        #:x (axis #:title title #:kind unit #:from 0 #:to (if (zero? highest) 1 (* 1.02 highest)))
        #:y (axis #:names (map car rows)) #:notes notes #:tell tell))

(define* (plot-matrix rows columns values #:key (unit 'number) (title "") (row-title "") (column-title "") (notes '())
                      (tell ""))
  "A grid of shades: names of rows and columns, and a list of values, or (VALUE . EVENT), for each row."
  (check 'plot-matrix rows list? "list of names of rows")
  (check 'plot-matrix columns list? "list of names of columns")
  (check-lists 'plot-matrix values 0 "list of a list of values for each row")
  (let* ((all (map value-of (concatenate values)))
         (highest (fold max 0 (map (lambda (value) (check-real 'plot-matrix value)) all)))
         (above (filter positive? all)))
    (define (cell-shape row column y x cell)
      (let ((value (value-of cell)))
        (and (positive? value)
             (rect x y (1+ x) (1+ y) #:share (/ value highest) #:event (event-of cell)
                   #:text (format #f "~a, ~a: ~a" (name-text 'plot-matrix row) (name-text 'plot-matrix column)
                                  (value-text unit value))))))
    (plot (append-map (lambda (row y cells)
                        (filter-map (lambda (column x cell) (cell-shape row column y x cell))
                                    columns (iota (length columns)) cells))
                      rows (iota (length rows)) values)
          #:x (axis #:title column-title #:names columns) #:y (axis #:title row-title #:names rows)
          #:ramp (and (pair? above)
                      (list title (value-text unit (apply min above)) (value-text unit (apply max above))))
          #:notes notes #:tell tell)))

(define most-rows 60)

(define (cell-words value)
  (cond ((not value) "")
        ((string? value) value)
        ((and (real? value) (inexact? value)) (format #f "~,3f" value))
        ((process? value) (process-name value))
        ((object? value) (object-name value))
        (else (format #f "~a" value))))

(define* (plot-table rows #:key names event (notes '()) (tell ""))
  "A table: rows as analyses give them, or lists, with the NAMES of their columns. EVENT gives the event of a row."
  (check-lists 'plot-table rows 0 "list of rows, which analyses and sql give")
  (when names
    (check "plot-table: #:names" names list? "list of names of columns"))
  (when event
    (check-procedure "plot-table: #:event" event "(EVENT ROW)"))
  (let* ((named? (and (pair? rows) (named-row? (car rows))))
         (names (check-widths 'plot-table rows (or names (first-names rows named?))))
         (kept (if (> (length rows) most-rows) (take rows most-rows) rows))
         (cells (map (lambda (row) (if named? (map cdr row) row)) kept))
         (words (cons (map (lambda (name) (format #f "~a" name)) names)
                      (map (lambda (row) (map cell-words row)) cells)))
         (widths (map (lambda (i)
                        (+ 2 (min 40 (apply max 1 (map (lambda (row) (string-length (list-ref row i))) words)))))
                      (iota (length names))))
         (lefts (pair-fold-sums widths))
         (right? (map (lambda (i) (every (lambda (row) (or (not (list-ref row i)) (number? (list-ref row i)))) cells))
                      (iota (length names)))))
    (define (row-shapes y words event)
      (map (lambda (word left width right)
             (text left y word #:to (cons (+ left width) (1+ y)) #:align (if right 1 0) #:event event))
           words lefts widths right?))
    (define whole (max 1 (fold + 0 widths)))
    (plot (append (list (line (list (cons 0 1) (cons whole 1)) #:width 1))
                  (append-map row-shapes (iota (length words)) words
                              (cons #f (map (lambda (row) (and event (event row))) kept))))
          #:x (axis #:kind 'none #:from 0 #:to whole)
          #:y (axis #:kind 'none #:from (max 12 (length words)) #:to 0)
          #:notes (cond ((null? rows) (cons "no rows" notes))
                        ((> (length rows) most-rows) (cons (format #f "~a rows of ~a" most-rows (length rows)) notes))
                        (else notes))
          #:tell tell)))

;; 0, a, a + b ... without the last sum.
(define (pair-fold-sums widths)
  (let loop ((rest widths) (sum 0) (sums '()))
    (if (null? rest) (reverse sums) (loop (cdr rest) (+ sum (car rest)) (cons sum sums)))))

;; The number of edges on the longest way to each node; an edge that would close a circle does not count.
(define (node-depths ids edges)
  (let ((depths (make-hash-table)) (busy (make-hash-table)))
    (define (depth! id)
      (cond ((hash-ref depths id))
            ((hash-ref busy id) -1)
            (else
             (hash-set! busy id #t)
             (let ((found (fold (lambda (edge most)
                                  (if (and (equal? (second edge) id) (not (equal? (first edge) id)))
                                      (max most (1+ (depth! (first edge))))
                                      most))
                                0 edges)))
               (hash-set! depths id found)
               found))))
    (for-each depth! ids)
    (lambda (id) (hash-ref depths id))))

(define* (plot-graph nodes edges #:key (notes '()) (tell ""))
  "Boxes and lines: nodes (ID NAME [EVENT]), and edges (FROM-ID TO-ID [TEXT [WIDTH]]), from the top to the bottom."
  (check-lists 'plot-graph nodes 2 "list of nodes, which are (ID NAME [EVENT])")
  (check-lists 'plot-graph edges 2 "list of edges, which are (FROM-ID TO-ID [TEXT [WIDTH]])")
  (let* ((depth (node-depths (map first nodes) edges))
         (deepest (fold max 0 (map (lambda (node) (depth (first node))) nodes)))
         (places (make-hash-table)))
    (for-each (lambda (level)
                (let* ((here (filter (lambda (node) (= (depth (first node)) level)) nodes)) (n (length here)))
                  (for-each (lambda (node i)
                              ;; An edge past a level does not go through the box of a node that is alone there.
                              (hash-set! places (first node)
                                         (cons (+ (/ (+ i 1/2) n) (/ (if (odd? level) 0.12 -0.12) n)) (+ level 1/2))))
                            here (iota n))))
              (iota (1+ deepest)))
    (define widest
      (fold max 1 (map (lambda (level) (count (lambda (node) (= (depth (first node)) level)) nodes))
                       (iota (1+ deepest)))))
    (define half (min 0.15 (/ 0.35 widest)))
    (define (place id)
      (or (hash-ref places id) (fail "plot-graph: there is no node ~s" id)))
    (define (edge-shape edge)
      (match edge
        ((from to . rest)
         (let ((one (place from)) (other (place to)))
           (line (list (cons (car one) (+ (cdr one) 0.2))
                       (cons (car other) (- (cdr other) 0.2)))
                 #:width (and (pair? rest) (pair? (cdr rest)) (second rest))
                 #:text (and (pair? rest) (first rest)))))
        (else (fail "plot-graph: ~s is no edge" edge))))
    (define (node-shapes node)
      (let* ((at (place (first node))) (event (and (pair? (cddr node)) (third node)))
             (left (- (car at) half)) (right (+ (car at) half)) (top (- (cdr at) 0.2)) (bottom (+ (cdr at) 0.2)))
        (list (rect left top right bottom #:share 0.25 #:event event #:text (second node))
              (text left top (second node) #:to (cons right bottom) #:align 0.5 #:event event))))
    (plot (append (map edge-shape edges) (append-map node-shapes nodes))
          #:x (axis #:kind 'none #:from 0 #:to 1)
          #:y (axis #:kind 'none #:from (1+ deepest) #:to 0)
          #:notes notes #:tell tell)))

;;; Space and time

(define (process-row what)
  "The row of a process in plot-space-time, or #f if it is not shown."
  (let ((id (process-id (process what))))
    (list-index (lambda (one) (= (process-id one) id)) (shown-processes))))

;; Rows are asked for again and again while a view is made.
(define row-table (make-parameter #f))

(define (row-of id)
  (if (row-table) (hashv-ref (row-table) id) (process-row id)))

(define* (span-box process begin end #:key series share text event)
  "A box on the row of a process from BEGIN to END, for plot-space-time; #f if the process is not shown."
  (let* ((id (process-number process)) (row (row-of id)))
    (and row (rect begin (+ row 0.2) end (+ row 0.8) #:series series #:share share #:text text #:event event
                   #:process id))))

(define* (event-box event #:key series share text)
  "The box of an event, for plot-space-time, which leads to it; #f if its process is not shown."
  (span-box (event-process event) (event-begin event) (event-end event) #:series series #:share share #:text text
            #:event event))

(define* (arc-line arc #:key series text)
  "The line of an arc, for plot-space-time, which leads to its end; #f if one of its processes is not shown."
  (let ((from (row-of (event-process (arc-from arc)))) (to (row-of (event-process (arc-to arc)))))
    (and from to
         (line (list (cons (arc-from-time arc) (+ from 0.5)) (cons (arc-to-time arc) (+ to 0.5)))
               #:series series #:text text #:event (arc-to arc)))))

(define* (plot-space-time shapes #:key span (notes '()) (tell ""))
  "A space-time diagram: time to the right, a row for each process that is shown. What is #f in SHAPES is left out."
  (check 'plot-space-time shapes list? "list of shapes")
  (when span
    (check "plot-space-time: #:span" span
           (lambda (pair) (and (pair? pair) (time? (car pair)) (time? (cdr pair)))) "pair of two times, in ns"))
  (plot (filter identity shapes)
        #:x (axis #:kind 'time #:from (car (or span (history-span))) #:to (cdr (or span (history-span))))
        #:y (axis #:names (map process-name (shown-processes)))
        #:notes notes #:tell tell))

;;; For C

(define most-marks 200000)

(define (axis-data axis what)
  (unless (axis? axis)
    (fail "plot: ~s is no axis" axis))
  (list (axis-title axis) (list-index (lambda (kind) (eq? kind (axis-kind axis))) kinds)
        (or (axis-from axis) (if (axis-to axis) (min 0.0 (axis-to axis)) 0.0))
        (or (axis-to axis) (axis-from axis) 0.0)
        (axis-names axis)))

(define (plain-texts what texts)
  (unless (list? texts)
    (fail "plot: ~s is no list of ~a" texts what))
  (map (lambda (text) (name-text what text)) texts))

;; All that is shown as lists of numbers and texts that C need not doubt.
(define (plot-data plot)
  (let ((numbers (make-hash-table)) (series '()))
    (define (series-number shape)
      (let ((name (shape-series shape)))
        (and name
             (or (hash-ref numbers name)
                 (let ((number (hash-count (const #t) numbers)))
                   (hash-set! numbers name number)
                   (set! series (cons (cons name (shape-kind shape)) series))
                   number)))))
    (when (> (length (plot-shapes plot)) most-marks)
      (fail "a plot has at most ~a shapes, not ~a: sum some of them up, for example by (window ...)" most-marks
            (length (plot-shapes plot))))
    (let ((marks (map (lambda (shape)
                        (vector (shape-kind shape) (series-number shape) (shape-amount shape) (shape-text shape)
                                (shape-process shape) (shape-ordinal shape)
                                (list->f64vector (shape-places shape))))
                      (plot-shapes plot))))
      (list (name-text 'plot (plot-tell plot)) (axis-data (plot-x plot) "x") (axis-data (plot-y plot) "y")
            (let ((ramp (plain-texts "texts" (or (plot-ramp plot) '()))))
              (if (= (length ramp) 3) ramp '("" "" "")))
            (plain-texts "notes" (plot-notes plot))
            (reverse series)
            marks))))

;; The procedure of a view, or #f.
(define (view-procedure name)
  (and=> (assq (string->symbol name) views) fourth))

;; The data of a view; #f: there is none of this name.
(define (make-view name from to processes)
  (let ((known (assq (string->symbol name) views)))
    (and known
         (let ((rows (make-hash-table)))
           (for-each (lambda (id row) (hashv-set! rows id row)) processes (iota (length processes)))
           (parameterize ((shown processes) (row-table rows))
             (let ((found ((fourth known) (current-history) (cons from to))))
               (unless (plot? found)
                 (fail "~a: a view gives what plot, plot-series and the like make, not ~s" name found))
               (plot-data found)))))))
