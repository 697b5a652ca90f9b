import type { RenderPlan } from '@vid/kernel'
import type { HlsSettings } from './settings.ts'

/** One size in which the video is encoded. */
export interface Rendition {
  /** Begins the names of its files, such as `720p`. */
  readonly name: string
  readonly width: number
  readonly height: number
}

const even = (pixels: number) => Math.max(2, Math.round(pixels / 2) * 2)

/** The renditions of a plan: the size of its picture, then each rung of the ladder that is smaller. */
export const renditionsOf = (
  { width, height }: Pick<RenderPlan, 'width' | 'height'>,
  { ladder }: Pick<HlsSettings, 'ladder'>,
): Rendition[] => {
  const whole = { width: width + (width % 2), height: height + (height % 2) }
  const side = Math.min(whole.width, whole.height)
  const rungs = ladder.filter((rung) => rung < side)
  return [side, ...rungs].map((rung) => ({
    name: `${rung}p`,
    width: rung === side ? whole.width : even((whole.width * rung) / side),
    height: rung === side ? whole.height : even((whole.height * rung) / side),
  }))
}
