# SPDX-License-Identifier: Apache-2.0
# Completion of lightcone's commands and options in fish.
set -l commands record info merge stats critical-path sql check calibrate help

complete -c lightcone -f
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a record -d 'Record how the threads of a program synchronise'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a info -d 'Say what is in a trace'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a merge -d 'Make the execution history of a trace'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a sql -d 'Ask the history of a trace in SQL'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a stats -d 'Show tables of running and waiting'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a critical-path -d 'Show what decided how long it took'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a check -d 'Say what is wrong with a trace'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a calibrate -d 'Measure what recording costs on this machine'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -a help -d 'Explain a command'
complete -c lightcone -n "not __fish_seen_subcommand_from $commands" -l version -d 'Say which version this is'
complete -c lightcone -s h -l help -d 'Help'

complete -c lightcone -n '__fish_seen_subcommand_from help' -a 'record info merge stats critical-path sql check calibrate'

set -l record '__fish_seen_subcommand_from record'
complete -c lightcone -n $record -s o -l output -r -F -d 'Where to leave the trace'
complete -c lightcone -n $record -l replace -d 'Remove an old trace that is there'
complete -c lightcone -n $record -s e -l events -x -d 'Record these classes of events' \
    -a '(__fish_append , mutex crew advance semaphore condition barrier channel thread mark function)'
complete -c lightcone -n $record -l functions-include -x -d 'Record the functions that match'
complete -c lightcone -n $record -l functions-exclude -x -d 'Leave out the functions that match'
complete -c lightcone -n $record -l depth -x -d 'Levels of functions to record'
complete -c lightcone -n $record -l overhead-test -x -d 'Time to lose with each event, in ns'
complete -c lightcone -n $record -l clock -x -a 'auto tsc monotonic' -d 'What to stamp events with'
complete -c lightcone -n $record -l title -x -d 'What to call the recording'
complete -c lightcone -n $record -l no-calibrate -d 'Do not measure what recording costs here'
complete -c lightcone -n $record -s q -l quiet -d 'Say nothing but errors'
complete -c lightcone -n $record -a '(__fish_complete_subcommand --fcs-skip=2)'

complete -c lightcone -n '__fish_seen_subcommand_from info' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from info' -l no-merge -d 'Without waiting and parallelism'
complete -c lightcone -n '__fish_seen_subcommand_from info' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from merge' -l again -d 'Merge even if the history is up to date'
complete -c lightcone -n '__fish_seen_subcommand_from merge' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from merge' -s q -l quiet -d 'Say nothing but errors'
complete -c lightcone -n '__fish_seen_subcommand_from merge' -l rules -r -F -d 'Further rules, besides the built-in ones'
complete -c lightcone -n '__fish_seen_subcommand_from merge' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from sql' -l csv -d 'Write comma-separated values'
complete -c lightcone -n '__fish_seen_subcommand_from sql' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from sql' -l rules -r -F -d 'Further rules, besides the built-in ones'
complete -c lightcone -n '__fish_seen_subcommand_from sql' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from stats' -l timeline -x -d 'Of this timeline'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -l format -x -a 'text csv json' -d 'What to write'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -l json -d 'The same as --format json'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -l limit -x -d 'At most so many lines of the table'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -l rules -r -F -d 'Further rules, besides the built-in ones'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -a 'waiting parallelism objects operations'
complete -c lightcone -n '__fish_seen_subcommand_from stats' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l timeline -x -d 'The path on this timeline'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l events -d 'The path itself, event after event'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l limit -x -d 'At most so many lines of a table'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l csv -d 'A table for programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -l rules -r -F -d 'Further rules, besides the built-in ones'
complete -c lightcone -n '__fish_seen_subcommand_from critical-path' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from check' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from check' -l rules -r -F -d 'Further rules, besides the built-in ones'
complete -c lightcone -n '__fish_seen_subcommand_from check' -a '(__fish_complete_directories)'

complete -c lightcone -n '__fish_seen_subcommand_from calibrate' -l json -d 'For programs to read'
complete -c lightcone -n '__fish_seen_subcommand_from calibrate' -s o -l output -r -F -d 'Where to keep the numbers'
complete -c lightcone -n '__fish_seen_subcommand_from calibrate' -l quick -d 'Measure for half a second only'
