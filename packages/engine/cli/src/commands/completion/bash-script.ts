import { type CompletedCommand, completedGroups, type Entries, wordPrefixes } from './completed-commands.ts'

const quoted = (words: readonly string[]): string => words.map((word) => `"${word}"`).join('|')

/** Lines of a `case` that answer with words. */
const answer = (pattern: string, words: readonly string[]): string =>
  `    ${pattern}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$current")); return ;;`

const valueLines = (all: readonly CompletedCommand[]): string[] =>
  all.flatMap(({ words, flags }) =>
    flags.flatMap(({ names, values }) =>
      typeof values === 'string' ? [] : [answer(quoted(names.map((name) => `${words.join(' ')} ${name}`)), values)],
    ),
  )

/** The script for bash: words of commands, names of flags, and values; files where nothing else fits. */
export const bashScript = (all: readonly CompletedCommand[], entries: Entries): string =>
  [
    '# Completes the command vid in bash.',
    '_vid() {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" command="" word i',
    '  if [[ $current == "=" ]]; then current=""',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  elif [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
    '  COMPREPLY=()',
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '    word="${command:+$command }${COMP_WORDS[i]}"',
    '    case "$word" in',
    `      ${quoted(wordPrefixes(all))}) command="$word" ;;`,
    '      *) break ;;',
    '    esac',
    '  done',
    '  case "$command $previous" in',
    ...valueLines(all),
    '  esac',
    '  case "$command" in',
    ...completedGroups(all, entries).map(({ words, next }) =>
      answer(
        `"${words}"`,
        next.map(({ word }) => word),
      ),
    ),
    '  esac',
    '  [[ $current == -* ]] || return',
    '  case "$command" in',
    ...all.map(({ words, flags }) =>
      answer(
        `"${words.join(' ')}"`,
        flags.flatMap(({ names }) => names.filter((name) => name.startsWith('--'))),
      ),
    ),
    '  esac',
    '}',
    'complete -o default -F _vid vid',
    '',
  ].join('\n')
