import { fail } from '../errors.ts'
import { diffLines, type LineChange, linesWithEnds } from './line-diff.ts'

/** Whether two changes of the same lines, or of lines side by side, depend on each other. */
const touches = (one: LineChange, other: LineChange) => one.before <= other.beforeEnd && other.before <= one.beforeEnd

/**
 * Makes the changes from `base` to `ours` in `theirs`, another text that came of `base`. VID_EDIT_CONFLICT where both
 * changed the same lines, or lines side by side.
 */
export const mergeTexts = (file: string, base: string, ours: string, theirs: string): string => {
  if (base === theirs) return ours
  if (base === ours || ours === theirs) return theirs
  const lines = { base: linesWithEnds(base), ours: linesWithEnds(ours), theirs: linesWithEnds(theirs) }
  const mine = diffLines(lines.base, lines.ours)
  const other = diffLines(lines.base, lines.theirs)
  for (const change of mine) {
    const rival = other.find((candidate) => touches(change, candidate))
    if (!rival) continue
    const line = lines.base[change.before]?.trim().slice(0, 60)
    const reason = `its text around "${line || 'an empty line'}" is another now`
    throw fail('VID_EDIT_CONFLICT', { file, line: rival.after + 1, reason })
  }
  const merged: string[] = []
  let place = 0
  const pieces = [
    ...mine.map((change) => ({ change, text: lines.ours })),
    ...other.map((change) => ({ change, text: lines.theirs })),
  ].sort((a, b) => a.change.before - b.change.before)
  for (const { change, text } of pieces) {
    merged.push(...lines.base.slice(place, change.before), ...text.slice(change.after, change.afterEnd))
    place = change.beforeEnd
  }
  merged.push(...lines.base.slice(place))
  return merged.join('')
}
