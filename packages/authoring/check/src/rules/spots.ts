import type { CheckSpot, CompositionBox, CompositionFacts, CompositionFrames, CompositionText } from '@vid/kernel'

/** The whole composition. */
export const allFrames = ({ frames }: Pick<CompositionFacts, 'frames'>): CompositionFrames => [0, frames]

/** Frames of a stretch of time, at least one. */
export const framesOf = (
  { fps, frames }: Pick<CompositionFacts, 'fps' | 'frames'>,
  start: number,
  end: number,
): CompositionFrames => {
  const first = Math.min(frames - 1, Math.max(0, Math.round(start * fps)))
  return [first, Math.min(frames, Math.max(first + 1, Math.round(end * fps)))]
}

/** Seconds of some frames. */
export const lengthOf = ([start, end]: CompositionFrames, { fps }: Pick<CompositionFacts, 'fps'>): number =>
  (end - start) / fps

/** A number with one decimal at most. */
export const short = (value: number, digits = 1): string => String(Number(value.toFixed(digits)))

/** A file as a message names it. */
export const fileNameOf = (src: string) =>
  src.startsWith('data:') ? 'the picture' : (src.split(/[?#]/)[0]?.split('/').at(-1) ?? src)

/** A text as a message names it. */
export const quoted = (text: string): string => `"${text.length > 40 ? `${text.slice(0, 39)}…` : text}"`

/** Least opacity of a text that is meant to be read. */
export const READABLE = 0.3

/** Whether a text stands in the picture, whatever lies above it. */
export const isPlaced = ({ visible, opacity, isStill }: CompositionText): boolean =>
  isStill && opacity >= READABLE && visible.width > 1 && visible.height > 1

/** Part of a text below something else from which nobody is meant to read it: a scene that was replaced. */
export const REPLACED = 0.95

/** Whether a text is meant to be read: it stands in the picture, and in front. */
export const isReadable = (text: CompositionText): boolean => isPlaced(text) && text.covered < REPLACED

/** Whether any of a text is seen, standing or moving. */
export const isSeen = ({ visible, opacity, covered }: CompositionText): boolean =>
  visible.width > 1 && visible.height > 1 && opacity >= READABLE && covered < REPLACED

/** What a spot says of a text. */
export const spotOf = ({ element, frames, visible }: CompositionText, rest: Omit<CheckSpot, 'frames'>): CheckSpot => ({
  frames,
  element,
  box: visible,
  ...rest,
})

/** The parts of the lines of a text in which the ink of its characters lies: fonts leave space above and below. */
export const inkOf = ({ lines, ink: [top, bottom] }: CompositionText): readonly CompositionBox[] =>
  lines.map(({ x, y, width, height }) => ({ x, y: y + top * height, width, height: (bottom - top) * height }))

/** The frames that two stretches share, or undefined. */
export const sharedFrames = (one: CompositionFrames, other: CompositionFrames): CompositionFrames | undefined => {
  const start = Math.max(one[0], other[0])
  const end = Math.min(one[1], other[1])
  return start < end ? [start, end] : undefined
}

/** The area that two boxes share. */
export const sharedArea = (one: CompositionBox, other: CompositionBox): number => {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return width > 0 && height > 0 ? width * height : 0
}
