import { shrinkFilter, videoArgs, videoFilter } from '@vid/ffmpeg'
import type { FrameFormat, RenderPlan } from '@vid/kernel'
import type { Rendition } from './renditions.ts'
import { type HlsSettings, videoOf } from './settings.ts'

/** The pictures of a segment, scaled to each rendition: the first has their size. */
const filterArgs = (filter: string, [, ...smaller]: readonly Rendition[]): string[] => {
  if (smaller.length === 0) return ['-vf', filter]
  const copies = smaller.map((_, index) => `[copy${index}]`)
  const scaled = smaller.map(({ width, height }, index) => ({
    filter: `[copy${index}]${shrinkFilter(width, height)}[rung${index}]`,
    output: `[rung${index}]`,
  }))
  const split = `[0:v]${filter},split=${smaller.length + 1}[whole]${copies.join('')}`
  const graph = [split, ...scaled.map((rung) => rung.filter)].join(';')
  return ['-filter_complex', graph, '-map', '[whole]', ...scaled.flatMap(({ output }) => ['-map', output])]
}

/** An average bitrate is that of the whole picture; a smaller one has its share by pixels. */
const rateArgs = ({ bitrate }: HlsSettings, [whole, ...smaller]: readonly Rendition[]): string[] => {
  if (bitrate === null || !whole) return []
  const share = ({ width, height }: Rendition) => (width * height) / (whole.width * whole.height)
  return smaller.flatMap((rung, index) => [`-b:v:${index + 1}`, `${Math.round(bitrate * share(rung))}`])
}

/** ffmpeg's output options for a segment of frames: one track for each rendition, with key frames every `distance` frames. */
export const renditionArgs = (
  format: FrameFormat,
  plan: Pick<RenderPlan, 'width' | 'height' | 'fps'>,
  settings: HlsSettings,
  { renditions, distance }: { readonly renditions: readonly Rendition[]; readonly distance: number | undefined },
): string[] => {
  const video = videoOf(settings)
  return [
    ...filterArgs(videoFilter(format, video, plan), renditions),
    ...rateArgs(settings, renditions),
    ...videoArgs(video, plan, distance),
  ]
}
