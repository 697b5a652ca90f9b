import type { CompositionBox } from '@vid/kernel'

/** Parts of the picture at its edges: top, right, bottom, left. */
type Margins = readonly [top: number, right: number, bottom: number, left: number]

/** The areas that platforms leave free, of their picture of 1080 x 1920; others are those of television. */
export const safeAreas = {
  title: [0.05, 0.05, 0.05, 0.05],
  'youtube-shorts': [288 / 1920, 192 / 1080, 672 / 1920, 48 / 1080],
  tiktok: [130 / 1920, 120 / 1080, 480 / 1920, 60 / 1080],
  reels: [0.14, 0.06, 0.35, 0.06],
} as const satisfies Record<string, Margins>

export type SafeArea = keyof typeof safeAreas

const RECTANGLE = /^(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?),(\d+(?:\.\d+)?)$/

/** Names of areas, or a rectangle `x,y,width,height` in CSS pixels. */
export const SAFE_PATTERN = new RegExp(`^(?:${Object.keys(safeAreas).join('|')}|${RECTANGLE.source.slice(1, -1)})$`)

/** The part of a picture in which text is safe. */
export const safeBox = (
  area: string,
  { width, height }: { readonly width: number; readonly height: number },
): CompositionBox => {
  const [, ...numbers] = RECTANGLE.exec(area) ?? []
  if (numbers.length > 0) {
    const [x = 0, y = 0, wide = 0, high = 0] = numbers.map(Number)
    return { x, y, width: wide, height: high }
  }
  const [top, right, bottom, left] = safeAreas[area as SafeArea] ?? safeAreas.title
  return { x: left * width, y: top * height, width: (1 - left - right) * width, height: (1 - top - bottom) * height }
}
