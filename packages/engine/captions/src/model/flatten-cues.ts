import type { Cue } from './cue.ts'

/** The same texts as cues that do not overlap, for formats that show one at a time: what is shown together is joined. */
export const flattenCues = (cues: readonly Cue[]): Cue[] => {
  const times = [...new Set(cues.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const flat: Cue[] = []
  let first = 0
  for (const [index, start] of times.entries()) {
    const end = times[index + 1]
    if (end === undefined) break
    while ((cues[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first += 1
    const texts: string[] = []
    for (let number = first; (cues[number]?.start ?? Number.POSITIVE_INFINITY) <= start; number++) {
      const cue = cues[number]
      if (cue && cue.end > start && cue.text !== '') texts.push(cue.text)
    }
    const text = texts.join('\n')
    const last = flat.at(-1)
    if (text === '') continue
    if (last?.text === text && last.end === start) flat[flat.length - 1] = { ...last, end }
    else flat.push({ start, end, text })
  }
  return flat
}
