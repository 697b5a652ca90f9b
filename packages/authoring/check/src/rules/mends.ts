import type {
  CompositionClip,
  CompositionFacts,
  CompositionImage,
  CompositionMedia,
  CompositionText,
  SpotMend,
} from '@vid/kernel'
import { inkOf } from './spots.ts'

/** Operations of `vid edit` that mend a spot; left out of it where there are none. */
export interface Mending {
  readonly mend?: readonly SpotMend[]
}

const none: Mending = {}

const style = (property: string, value: string, element?: number): SpotMend => ({
  op: 'style',
  property,
  value,
  ...(element !== undefined && { element }),
})

const edgesOf = (text: CompositionText) => {
  const lines = inkOf(text)
  return {
    left: Math.min(...lines.map(({ x }) => x)),
    top: Math.min(...lines.map(({ y }) => y)),
    right: Math.max(...lines.map(({ x, width }) => x + width)),
    bottom: Math.max(...lines.map(({ y, height }) => y + height)),
  }
}

/** Another colour of a text. */
export const mendColor = (color: string | null): Mending => (color === null ? none : { mend: [style('color', color)] })

/** A font that is `least` pixels high in the picture, whatever transforms make of it. */
export const mendSize = ({ fontSize, styledSize }: CompositionText, least: number): Mending => {
  const size = Math.ceil((least * styledSize) / fontSize)
  return Number.isFinite(size) ? { mend: [style('font-size', `${size}px`)] } : none
}

/** Parts of a font's size below which a text would rather be shortened. */
const MIN_SHRINK = 0.5

/** Part of the room that a text may fill. */
const FILL = 0.96

/** A font with which a text that is cut fits into what is seen of it. */
export const mendCut = (text: CompositionText): Mending => {
  const { left, top, right, bottom } = edgesOf(text)
  const { visible, styledSize } = text
  const part = Math.min(visible.width / (right - left), visible.height / (bottom - top))
  if (!(part >= MIN_SHRINK && part < 1)) return none
  return { mend: [style('font-size', `${Math.floor(styledSize * part * FILL)}px`)] }
}

/** The element in front of its siblings. */
export const mendOrder: Mending = { mend: [{ op: 'order', to: 'front' }] }

/** The block of a text, moved into an area as far as it fits there. */
export const mendPlace = (
  text: CompositionText,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): Mending => {
  const { left, top, right, bottom } = edgesOf(text)
  const { move } = text
  if (!move || right - left > area.width || bottom - top > area.height) return none
  const shift = (low: number, high: number, from: number, length: number) =>
    Math.max(0, from - low) - Math.max(0, high - from - length)
  const outward = (value: number) => Math.sign(value) * Math.ceil(Math.abs(value))
  const x = outward(shift(left, right, area.x, area.width) / move.x)
  const y = outward(shift(top, bottom, area.y, area.height) / move.y)
  return { mend: [style('translate', `${x}px ${y}px`, text.block)] }
}

/** A picture that keeps its shape. */
export const mendShape = ({ kind }: CompositionImage): Mending => ({
  mend: [style(kind === 'background' ? 'background-size' : 'object-fit', 'cover')],
})

/** Decibels below a limit to which a peak is lowered. */
const PEAK_MARGIN = 3

/** Shortest fade, in seconds. */
const MIN_FADE = 0.3

/**
 * A fade of a sound whose end is `above` decibels above what it may have. Volumes are those of frames, so that the last
 * frame still has a part of it.
 */
export const mendEnding = (
  { motions, fps, duration }: CompositionFacts,
  media: CompositionMedia,
  above: number,
): Mending => {
  const out = Math.max(MIN_FADE, Math.ceil((10 * 10 ** ((above + 1) / 20)) / fps) / 10)
  // It is a tween of a GSAP timeline.
  const isTweened = motions.some(({ kind }) => kind === 'gsap')
  const isShort = out <= (Math.min(media.end, duration) - media.start) / 2
  return isTweened && isShort ? { mend: [{ op: 'fade', out }] } : none
}

/** Another end of a clip, in seconds from the one that it has. */
export const mendEnd = (clip: CompositionClip | undefined, end: number): Mending => {
  if (!clip || clip.element === null) return none
  return { mend: [{ op: 'trim', edge: 'end', by: Number((end - clip.end).toFixed(3)), element: clip.element }] }
}

/**
 * Volumes by which no peak is above a limit. What the mix has cut off is not in its measured peak: `most` decibels count
 * with a margin, and sources are as loud as they can be.
 */
export const mendPeak = (
  facts: CompositionFacts,
  positions: readonly number[],
  most: number,
  limit: number,
): Mending => {
  const together = [...new Set(positions)].reduce((sum, position) => sum + (facts.media[position]?.volume ?? 0), 0)
  return mendVolumes(facts, positions, Math.min(limit - most - PEAK_MARGIN, limit - 20 * Math.log10(together)))
}

/** Volumes by which media become louder or quieter by `decibels`. */
export const mendVolumes = ({ media }: CompositionFacts, positions: readonly number[], decibels: number): Mending => {
  const operations = [...new Set(positions)].flatMap((position): readonly SpotMend[] => {
    const { element, volume } = media[position] ?? {}
    if (element === null || element === undefined || volume === undefined || volume === 0) return []
    const changed = Math.min(3.98, volume * 10 ** (decibels / 20))
    return [{ op: 'volume', volume: Number(changed.toFixed(3)), element }]
  })
  return operations.length === 0 ? none : { mend: operations }
}
