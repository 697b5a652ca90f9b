import { diffLines, type LineChange, linesWithEnds } from './line-diff.ts'

const CONTEXT = 3

/** Changes whose contexts touch are shown together. */
const grouped = (changes: readonly LineChange[]): readonly (readonly LineChange[])[] => {
  const groups: LineChange[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && change.before - last.beforeEnd <= 2 * CONTEXT) group.push(change)
    else groups.push([change])
  }
  return groups
}

/** A line of a diff; a last line without a line end is marked as other tools do it. */
const shown = (sign: string, line: string): string =>
  line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`

const range = (start: number, count: number) => `${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`

const hunkText = (group: readonly LineChange[], before: readonly string[], after: readonly string[]): string => {
  const [first] = group as [LineChange]
  const last = group.at(-1) ?? first
  const start = Math.max(0, first.before - CONTEXT)
  const end = Math.min(before.length, last.beforeEnd + CONTEXT)
  const shift = first.after - first.before
  const afterEnd = end + last.afterEnd - last.beforeEnd
  const lines: string[] = [`@@ -${range(start, end - start)} +${range(start + shift, afterEnd - start - shift)} @@\n`]
  let place = start
  for (const change of group) {
    for (const line of before.slice(place, change.before)) lines.push(shown(' ', line))
    for (const line of before.slice(change.before, change.beforeEnd)) lines.push(shown('-', line))
    for (const line of after.slice(change.after, change.afterEnd)) lines.push(shown('+', line))
    place = change.beforeEnd
  }
  for (const line of before.slice(place, end)) lines.push(shown(' ', line))
  return lines.join('')
}

/** The unified diff of a file, as `patch` and `git apply` take it; empty where the texts are equal. */
export const unifiedDiff = (file: string, before: string, after: string): string => {
  const old = linesWithEnds(before)
  const lines = linesWithEnds(after)
  const changes = diffLines(old, lines)
  if (changes.length === 0) return ''
  const hunks = grouped(changes).map((group) => hunkText(group, old, lines))
  return `--- a/${file}\n+++ b/${file}\n${hunks.join('')}`
}
