import { defineWarnings, type WarningTable } from './warnings.ts'

/** Warnings of the kernel, and those that plugins of one role have in common. */
export const kernelWarnings = {
  VID_OUTPUT_OPAQUE: (f: { format: string; opaque: string }) => ({
    message: `the ${f.format} is not transparent, since it is made of the frames of the ${f.opaque}`,
    hint: `render it with --format ${f.format} alone to keep its transparency`,
  }),
  VID_FPS_CAPPED: (f: { format: string; max: number | string; fps: number | string }) => ({
    message: `${f.format} is limited to ${f.max} fps; got ${f.fps}`,
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
      ? 'choose another --scale or --resolution, one that makes both sides even'
      : `give the root data-width="${even.width}" and data-height="${even.height}", or render with --scale 2`
    const keep = f.keeping.length > 0 ? `; ${f.keeping.join(', ')} keep an odd size (--format)` : ''
    return {
      message: `${f.format} has even sides only: the picture of ${f.width}x${f.height} is extended to ${even.width}x${even.height} by repeating its edge`,
      hint: `${resize}${keep}`,
    }
  },
  VID_AUDIO_DROPPED: (f: { format: string }) => ({
    message: `${f.format} carries no sound: the composition's is left out`,
  }),
  VID_PAGE_RETRIED: (f: { reason: string }) => ({
    message: `the page is opened again: ${f.reason}`,
  }),
  VID_SEGMENT_RETRIED: (f: {
    part: 'segment' | 'frame'
    index: number
    done: 'rendered' | 'captured'
    reason: string
  }) => ({
    message: `${f.part} ${f.index} is ${f.done} again: ${f.reason}`,
  }),
} satisfies WarningTable

/** Makes the warnings of a render. */
export const kernelWarning = defineWarnings(kernelWarnings)
