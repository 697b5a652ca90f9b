import { type CompositionFacts, type CompositionPicture, defineCheck, withDefault } from '@vid/kernel'
import { Type } from '@vid/protocol'
import { short } from './spots.ts'

/** Change of relative luminance that is half of a flash, and light above which the darker side is none. */
const CHANGE = 0.1
const BRIGHT = 0.8

/** Part of the picture that flashes at once: a quarter of ten degrees of sight, of a picture of 1024 x 768. */
const AREA = 0.028

/** Frames within which cells change together. */
const TOGETHER = 1

/** How many more cells turn one way than the other. */
const DOMINANT = 3

/** Changes of one second above which there are more than three flashes of two changes each. */
const MAX_CHANGES = 6

/** A frame in which a cell, or much of the picture, turned brighter or darker. */
interface Turn {
  readonly frame: number
  readonly isBrighter: boolean
}

/** Turns of one cell from dark to bright and back; `isDark` says whether a value can be the dark side of a flash. */
const turnsOf = (
  pictures: readonly CompositionPicture[],
  lightOf: (picture: CompositionPicture) => number,
  isDark: (value: number) => boolean,
): Turn[] => {
  const turns: Turn[] = []
  let low = pictures[0] ? lightOf(pictures[0]) : 0
  let high = low
  for (const picture of pictures) {
    const value = lightOf(picture)
    low = Math.min(low, value)
    high = Math.max(high, value)
    const isBrighter = value - low >= CHANGE && isDark(low)
    const isDarker = high - value >= CHANGE && isDark(value)
    if (!isBrighter && !isDarker) continue
    low = value
    high = value
    if (turns.at(-1)?.isBrighter !== isBrighter) turns.push({ frame: picture.frame, isBrighter })
  }
  return turns
}

/** Whether more turns follow each other within a second than three flashes have. */
const isRapid = (turns: readonly Turn[], fps: number) =>
  turns.some(({ frame }, index) => (turns[index + MAX_CHANGES]?.frame ?? Number.POSITIVE_INFINITY) - frame < fps)

/** The turns that flashing cells of a picture make together: what moves turns cells at different times. */
const sharedTurns = (cells: readonly (readonly Turn[])[], all: number): Turn[] => {
  const turns: Turn[] = []
  const ups = new Map<number, number>()
  const downs = new Map<number, number>()
  for (const { frame, isBrighter } of cells.flat()) {
    const counts = isBrighter ? ups : downs
    counts.set(frame, (counts.get(frame) ?? 0) + 1)
  }
  const near = (counts: ReadonlyMap<number, number>, frame: number) =>
    Array.from({ length: 2 * TOGETHER + 1 }, (_, index) => counts.get(frame + index - TOGETHER) ?? 0).reduce(
      (sum, count) => sum + count,
      0,
    )
  for (const frame of [...new Set([...ups.keys(), ...downs.keys()])].sort((one, other) => one - other)) {
    const up = near(ups, frame)
    const down = near(downs, frame)
    const isBrighter = up > down
    const isShared = Math.max(up, down) >= AREA * all && Math.max(up, down) >= DOMINANT * Math.min(up, down)
    if (isShared && turns.at(-1)?.isBrighter !== isBrighter) turns.push({ frame, isBrighter })
  }
  return turns
}

/** The stretches in which more turns follow each other within a second than three flashes have. */
const rapid = (turns: readonly Turn[], { fps, frames }: CompositionFacts) => {
  const stretches: { start: number; end: number; most: number }[] = []
  for (const [index, { frame }] of turns.entries()) {
    const inSecond = turns.slice(index).filter((turn) => turn.frame - frame < fps)
    if (inSecond.length <= MAX_CHANGES) continue
    const end = Math.min(frames, (inSecond.at(-1)?.frame ?? frame) + 1)
    const last = stretches.at(-1)
    if (!last || frame > last.end) stretches.push({ start: frame, end, most: inSecond.length })
    else stretches[stretches.length - 1] = { start: last.start, end, most: Math.max(last.most, inSecond.length) }
  }
  return stretches
}

export const flash = defineCheck({
  name: '@vid/check/flash',
  rule: 'flash',
  level: 'error',
  what: 'More than three flashes in a second, of brightness or of saturated red, by WCAG 2.3.1.',
  why: 'They can cause seizures.',
  hint: 'Flash more slowly, with less difference, or in a smaller part of the picture.',
  options: Type.Object({ red: withDefault(Type.Boolean(), true) }),
  *check(facts, { red }) {
    const count = facts.grid.columns * facts.grid.rows
    const flashing = (
      lightOf: (picture: CompositionPicture, cell: number) => number,
      isDark: (value: number) => boolean,
    ) => {
      const cells = Array.from({ length: count }, (_, cell) =>
        turnsOf(facts.pictures, (picture) => lightOf(picture, cell), isDark),
      ).filter((turns) => isRapid(turns, facts.fps))
      return sharedTurns(cells, count)
    }
    const bright = flashing(
      ({ luminance }, cell) => luminance[cell] ?? 0,
      (value) => value < BRIGHT,
    )
    const reds = red
      ? flashing(
          (picture, cell) => picture.red[cell] ?? 0,
          () => true,
        )
      : []
    const kinds = [
      { name: 'brightness', turns: bright },
      { name: 'red', turns: reds },
    ]
    for (const { name, turns } of kinds)
      for (const { start, end, most } of rapid(turns, facts))
        yield {
          frames: [start, end],
          message: `The picture flashes in ${name} ${short(most / 2)} times in a second.`,
          figures: { flashes: most / 2, kind: name },
        }
  },
})
