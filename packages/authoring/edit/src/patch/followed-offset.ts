import type { TextChange } from '@vid/core/source-model'

/** An element that stands elsewhere after edits: what it was from and to, and the change that writes it again. */
export interface Relocation {
  readonly start: number
  readonly end: number
  readonly change: TextChange
  /** Characters of the change that come before it. */
  readonly lead: number
}

/**
 * Where an element begins after changes of its text, by where it began before; undefined for one that stood in what was
 * replaced.
 */
export const followedOffset = (
  changes: readonly TextChange[],
  relocations: readonly Relocation[],
  offset: number,
): number | undefined => {
  const relocation = relocations.find(({ start, end }) => start <= offset && offset < end)
  const place = relocation?.change.start ?? offset
  let by = 0
  for (const change of changes) {
    if (change === relocation?.change || change.start > place) continue
    if (change.end > place) return undefined
    by += change.text.length - (change.end - change.start)
  }
  return relocation ? place + by + relocation.lead + offset - relocation.start : offset + by
}
