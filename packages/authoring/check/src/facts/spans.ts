import type { CompositionFrames } from '@vid/kernel'

/** Something that is the same over several looks. */
export interface Span<T> {
  readonly value: T
  readonly frames: CompositionFrames
}

/** Joins what consecutive looks have in common: each look holds until the next, the last until the end. */
export const joinLooks = <T>(
  looks: readonly { readonly frame: number; readonly values: readonly T[] }[],
  frames: number,
  keyOf: (value: T) => string,
): Span<T>[] => {
  const spans: Span<T>[] = []
  let open = new Map<string, { value: T; start: number }>()
  for (const [index, { frame, values }] of looks.entries()) {
    const end = looks[index + 1]?.frame ?? frames
    const next = new Map<string, { value: T; start: number }>()
    for (const value of values) {
      const key = keyOf(value)
      next.set(key, open.get(key) ?? { value, start: frame })
    }
    for (const [key, { value, start }] of open) if (!next.has(key)) spans.push({ value, frames: [start, frame] })
    open = next
    if (end === frames) for (const { value, start } of open.values()) spans.push({ value, frames: [start, frames] })
  }
  return spans.sort((one, other) => one.frames[0] - other.frames[0])
}
