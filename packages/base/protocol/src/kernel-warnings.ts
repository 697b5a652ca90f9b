import { defineWarnings, type WarningTable } from './warnings.ts'

/** Warnings of the kernel, and those that plugins of one role have in common. */
export const kernelWarnings = {
  VID_OUTPUT_OPAQUE: (f: { format: string; opaque: string }) => ({
    message: `The ${f.format} is not transparent, because it shares its frames with the ${f.opaque}.`,
    hint: `Render it with --format ${f.format} alone to keep its transparency.`,
  }),
  VID_FPS_CAPPED: (f: { format: string; max: number | string; fps: number | string }) => ({
    message: `The ${f.format} is limited to ${f.max} fps; got ${f.fps}.`,
  }),
  VID_SIZE_EVEN: (f: {
    format: string
    width: number
    height: number
    scaled: boolean
    keeping: readonly string[]
  }) => {
    const even = { width: f.width + (f.width % 2), height: f.height + (f.height % 2) }
    const resize = f.scaled
      ? 'Choose a --scale or --resolution that makes both sides even'
      : `Give the root data-width="${even.width}" and data-height="${even.height}", or render with --scale 2`
    const keep = f.keeping.length > 0 ? `; ${f.keeping.join(', ')} keep an odd size (--format)` : ''
    return {
      message: `The ${f.format} needs even sides: the picture of ${f.width}x${f.height} is extended to ${even.width}x${even.height} by repeating its edge.`,
      hint: `${resize}${keep}.`,
    }
  },
  VID_AUDIO_DROPPED: (f: { format: string }) => ({
    message: `The ${f.format} has no sound: the sound of the composition is left out.`,
  }),
  VID_PAGE_RETRIED: (f: { reason: string }) => ({
    message: `The page is opened again: ${f.reason}.`,
  }),
  VID_SEGMENT_RETRIED: (f: {
    part: 'segment' | 'frame'
    index: number
    done: 'rendered' | 'captured'
    reason: string
  }) => ({
    message: `The ${f.part} ${f.index} is ${f.done} again: ${f.reason}.`,
  }),
} satisfies WarningTable

/** Makes the warnings of a render. */
export const kernelWarning = defineWarnings(kernelWarnings)
