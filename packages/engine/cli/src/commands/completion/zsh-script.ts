import { type CompletedCommand, completedGroups, type Entries, wordPrefixes } from './completed-commands.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const patterns = (words: readonly string[]): string => words.map((word) => `"${word}"`).join('|')

const described = (entries: readonly { readonly word: string; readonly about: string }[]): string =>
  entries.map(({ word, about }) => quote(about === '' ? word : `${word}:${about}`)).join(' ')

const flagEntries = ({ flags }: CompletedCommand) =>
  flags.flatMap(({ names, about }) => names.map((word) => ({ word, about })))

const valueLines = (all: readonly CompletedCommand[]): string[] =>
  all.flatMap(({ words, flags }) =>
    flags.flatMap(({ names, values }) => {
      if (typeof values === 'string') return []
      const cases = patterns(names.map((name) => `${words.join(' ')} ${name}`))
      return [
        `    ${cases}) found=(${values.map((value) => quote(value.replaceAll(':', '\\:'))).join(' ')}); _describe value found; return ;;`,
      ]
    }),
  )

/** The script for zsh: words of commands, names of flags and values, each with what it does; files elsewhere. */
export const zshScript = (all: readonly CompletedCommand[], entries: Entries): string =>
  [
    '#compdef vid',
    '_vid() {',
    '  local command="" word',
    '  local -a found',
    '  integer i',
    '  for ((i = 2; i < CURRENT; i++)); do',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '    word="${command:+$command }${words[i]}"',
    '    case "$word" in',
    `      ${patterns(wordPrefixes(all))}) command="$word" ;;`,
    '      *) break ;;',
    '    esac',
    '  done',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  case "$command ${words[CURRENT-1]}" in',
    ...valueLines(all),
    '  esac',
    '  case "$command" in',
    ...completedGroups(all, entries).map(
      ({ words, next }) => `    "${words}") found=(${described(next)}); _describe command found; return ;;`,
    ),
    '  esac',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    '  if [[ ${words[CURRENT]} != -* ]]; then _files; return; fi',
    '  case "$command" in',
    ...all.map(
      (command) =>
        `    "${command.words.join(' ')}") found=(${described(flagEntries(command))}); _describe -o option found; return ;;`,
    ),
    '  esac',
    '}',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the shell
    'if [[ "${funcstack[1]}" == _vid ]]; then _vid "$@"; else compdef _vid vid; fi',
    '',
  ].join('\n')
