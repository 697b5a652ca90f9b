/** A line of a unified diff, and what it is. */
export interface DiffLine {
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same'
  readonly text: string
}

/** More lines are not drawn: nobody reads them there. */
export const MAX_LINES = 1000

const kindOf = (line: string): DiffLine['kind'] => {
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  return line.startsWith('@@') ? 'hunk' : 'same'
}

/** The lines of a unified diff; of the two lines that name a file, the second. */
export const unifiedDiffLines = (diff: string): readonly DiffLine[] => {
  const lines = diff.split('\n')
  return lines.slice(0, MAX_LINES).flatMap((line, index): DiffLine[] => {
    if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) return []
    if (line.startsWith('+++ ') && lines[index - 1]?.startsWith('--- '))
      return [{ kind: 'file', text: line.slice(4).replace(/^b\//, '') }]
    return line === '' ? [] : [{ kind: kindOf(line), text: line }]
  })
}
