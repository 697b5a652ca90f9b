import {
  type CompletedCommand,
  type CompletedFlag,
  completedGroups,
  type Entries,
  wordPrefixes,
} from './completed-commands.ts'

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const condition = (words: string): string => `complete -c vid -n ${quote(`__vid_is ${quote(words)}`)}`

const valueOptions = (values: CompletedFlag['values']): string => {
  if (values === 'none') return ''
  if (values === 'path') return ' -r -F'
  return values === 'text' ? ' -x' : ` -x -a ${quote(values.join(' '))}`
}

const flagLine = (words: string, { names, about, values }: CompletedFlag): string => {
  const options = names.map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`))
  return `${condition(words)}${options.join('')}${valueOptions(values)} -d ${quote(about)}`
}

/** The script for fish: words of commands, names of flags and values, each with what it does; files elsewhere. */
export const fishScript = (all: readonly CompletedCommand[], entries: Entries): string =>
  [
    '# Completes the command vid in fish.',
    'function __vid_is',
    '    set -l command',
    '    for word in (commandline -opc)[2..-1]',
    '        set -l longer (string trim -- "$command $word")',
    `        contains -- $longer ${wordPrefixes(all).map(quote).join(' ')}; or break`,
    '        set command $longer',
    '    end',
    '    test "$command" = "$argv"',
    'end',
    'complete -c vid -f',
    ...completedGroups(all, entries).flatMap(({ words, next }) =>
      next.map(({ word, about }) => `${condition(words)} -a ${quote(word)} -d ${quote(about)}`),
    ),
    ...all.flatMap(({ words, flags }) => [
      `${condition(words.join(' '))} -F`,
      ...flags.map((flag) => flagLine(words.join(' '), flag)),
    ]),
    '',
  ].join('\n')
