# SPDX-License-Identifier: Apache-2.0
# Completion of lightcone's commands and options in bash.

# The word after an option of a command that takes a value.
_lightcone_value ()
{
  local classes='mutex crew advance semaphore condition barrier channel collective thread mark function team task futex io' others
  case $1 in
    --format)
      if [ "$3" = export ]; then
        COMPREPLY=($(compgen -W 'png svg pdf folded speedscope' -- "$2"))
      else
        COMPREPLY=($(compgen -W 'text csv json' -- "$2"))
      fi
      ;;
    --view)
      COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" export --list-views 2>/dev/null | cut -d ' ' -f 1)" -- "$2"))
      ;;
    --time) COMPREPLY=($(compgen -W 'physical logical phase' -- "$2")) ;;
    --style) COMPREPLY=($(compgen -W 'states moviola' -- "$2")) ;;
    --orientation) COMPREPLY=($(compgen -W 'down right' -- "$2")) ;;
    --by)
      if [ "$3" = export ]; then
        COMPREPLY=($(compgen -W 'both waiter blamed' -- "$2"))
      elif [[ " ${COMP_WORDS[*]} " = *' waits '* ]]; then
        COMPREPLY=($(compgen -W 'object site stack process for pair holder event' -- "$2"))
      elif [[ " ${COMP_WORDS[*]} " = *' slack '* ]]; then
        COMPREPLY=($(compgen -W 'process object operation site event arc' -- "$2"))
      else
        COMPREPLY=($(compgen -W 'site function file module' -- "$2"))
      fi
      ;;
    --collapse) COMPREPLY=($(compgen -W 'host prefix all' -- "$2")) ;;
    --theme) COMPREPLY=($(compgen -W 'light dark print high-contrast high-contrast-dark' -- "$2")) ;;
    --highlight) COMPREPLY=($(compgen -W 'critical-path past: future: cone:' -- "$2")) ;;
    --futex) COMPREPLY=($(compgen -W 'libc all' -- "$2")) ;;
    --stacks) COMPREPLY=($(compgen -W 'none blocking all' -- "$2")) ;;
    --then) COMPREPLY=($(compgen -W 'free recorded-where-possible' -- "$2")) ;;
    --clock) COMPREPLY=($(compgen -W 'auto tsc monotonic' -- "$2")) ;;
    -e | --events)
      others=${2%"${2##*,}"}
      COMPREPLY=($(compgen -P "$others" -W "$classes -${classes// / -}" -- "${2##*,}"))
      ;;
    -o | --output | --names | --rules | --judge) COMPREPLY=($(compgen -f -- "$2")) ;;
    --model) COMPREPLY=($(compgen -W 'auto time event liberal optimistic pessimistic' -- "$2")) ;;
    --shared) COMPREPLY=($(compgen -g -- "$2")) ;;
    --colour) COMPREPLY=($(compgen -W 'site' -- "$2")) ;;
    --layout) COMPREPLY=($(compgen -W 'ring grid hypercube force' -- "$2")) ;;
    --kind) COMPREPLY=($(compgen -W 'lock crew token wake-up work message' -- "$2")) ;;
    --mpi) COMPREPLY=($(compgen -W 'openmpi mpich' -- "$2")) ;;
    --blind) COMPREPLY=($(compgen -W 'preserve fifo lifo' -- "$2")) ;;
    -e | --expression | --time-limit | --memory-limit | --actual | --bounds | --depth | --frames | --from | --functions-exclude | --functions-include | --host | --intervals | --limit | \
      --called-in | --longer-than | --slack | --measure | --name | --object | --objects | --operations | --overhead-test | --phases | --processes | --rate | --remove | --scale | \
      --set | --flip | --schedule | --size | --steps | --tag | --timeline | --title | --to | --topology | --within)
      COMPREPLY=()
      ;;
    *) return 1 ;;
  esac
}

_lightcone ()
{
  local commands='record replay control cc profile open info merge stats critical-path compare approximate explain export what-if predict races validate sql script check calibrate'
  local tables='waiting waiting-history parallelism parallelism-history objects object-uses operations matrix communication processors phases ratio sites blame waits slack marks communication-share parallelism-average average-parallelism parallelism-histogram parallelism-trace phase-communication phase-waits logical-rounds startup transfer-map transfer-contours'
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} options i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$commands help --help --version" -- "$word"))
    return
  fi
  case $command in
    help)
      COMPREPLY=($(compgen -W "$commands" -- "$word"))
      return
      ;;
    record)
      options='--output --replace --events --functions-include --functions-exclude --depth --overhead-test --clock
        --title --mpi --host --shared --io-threshold --no-io --max-size --keep --dump-on --dump-if-wait
        --dump-if-region --most-dumps --search --search-seed --search-patience --watch --paused --lossless --stacks
        --futex --no-sites --no-switches --inputs --no-environment --no-calibrate --quiet --help'
      for ((i = 2; i < COMP_CWORD; i++)); do
        [ "${COMP_WORDS[i]}" = -- ] || continue
        # What follows is the command line of the program.
        if declare -F _command_offset >/dev/null; then
          _command_offset $((i + 1))
        elif [ $((i + 1)) -eq "$COMP_CWORD" ]; then
          COMPREPLY=($(compgen -c -- "$word"))
        else
          COMPREPLY=($(compgen -f -- "$word"))
        fi
        return
      done
      ;;
    cc) options='--functions --help' ;;
    profile) options='--compensation --callpath --output --overhead --mpi --set --limit --json --quiet --help' ;;
    open) options='--follow --new-instance --help' ;;
    info) options='--json --no-merge --help' ;;
    merge) options='--again --names --no-clock-correction --json --quiet --rules --help' ;;
    sql) options='--csv --json --rules --help' ;;
    script) options='--expression --time-limit --memory-limit --trust-scripts --list --command --selection --from --to --timeline --rules --help' ;;
    stats) options='--timeline --format --json --limit --intervals --actual --phases --per-process --by --max-slack \
        --operations --objects --within --tag --called-in --longer-than --slack --skip --trust-scripts --rules --help' ;;
    critical-path) options='--timeline --events --by --skip --limit --json --csv --rules --help' ;;
    compare) options='--timeline --by --skip --limit --json --rules --help' ;;
    approximate) options='--model --name --set --blind --output --replace --remove --rules --json --help' ;;
    explain) options='--timeline --steps --slack --rules --json --help' ;;
    export)
      options='--output --format --view --time --timeline --bounds --from --to --processes --operations --objects
        --within --tag --called-in --longer-than --slack --collapse --no-arcs --no-holding --hide --highlight --marks --colour --orientation --style --phases --intervals --measure
        --actual --by --frame --layout --frames --rate --skip --size --scale --theme --title --list-views --json --time-limit --memory-limit --trust-scripts --rules --help'
      ;;
    what-if) options='--scale --approximate --model --name --set --blind --limit --rules --json --help' ;;
    predict) options='--processes --timeline --quantum --sizes --for --limit --format --csv --json --rules --help' ;;
    races) options='--object --kind --from --to --skip --limit --schedule --flip --judge --format --csv --json --rules --help' ;;
    validate) options='--runs --part --model --record --bare --input --within --output --limit --json --quiet --help' ;;
    check) options='--json --deadlocks --predict --confirm --schedule --rules --help' ;;
    replay) options='--times --until --cut --until-time --until-layer --gdb --control --gdb-command --gdbserver --flip --then --continue --kill --output --stacks --record-option --old-times --probe --no-environment --quiet --help' ;;
    control) options='--output --json --quiet --help' ;;
    calibrate) options='--json --output --mpi --topology --quick --help' ;;
    *) return ;;
  esac
  _lightcone_value "$before" "$word" "$command" && return
  case $command:$word in
    *:-*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    cc:*) COMPREPLY=($(compgen -W 'gcc g++ gfortran clang clang++' -- "$word") $(compgen -f -- "$word")) ;;
    profile:* | validate:*) COMPREPLY=($(compgen -W '--' -- "$word") $(compgen -f -- "$word")) ;;
    record:*) COMPREPLY=($(compgen -W '--' -- "$word") $(compgen -c -- "$word")) ;;
    replay:*) COMPREPLY=($(compgen -W '--' -- "$word") $(compgen -d -- "$word") $(compgen -f -X '!*.schedule' -- "$word")) ;;
    control:*) COMPREPLY=($(compgen -W 'start stop dump status' -- "$word") $(compgen -d -- "$word")) ;;
    stats:*)
      [[ $before == stats || $before == -* ]] ||
        COMPREPLY=($(compgen -W "$tables" -- "$word"))
      COMPREPLY+=($(compgen -d -- "$word"))
      ;;
    script:*) COMPREPLY=($(compgen -d -- "$word") $(compgen -f -X '!*.scm' -- "$word")) ;;
    open:* | info:* | merge:* | critical-path:* | compare:* | approximate:* | explain:* | export:* | what-if:* | predict:* | races:* | sql:* | check:*)
      COMPREPLY=($(compgen -d -- "$word"))
      ;;
  esac
}

complete -o filenames -F _lightcone lightcone
