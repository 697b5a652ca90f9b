import type { Size } from '@vid/protocol'

/** A zoom: `fit`, or CSS pixels for each pixel of the composition. */
export type Zoom = 'fit' | number

const SMALLEST = 0.05
const LARGEST = 16

/** Space around a picture that fits, in CSS pixels. */
const MARGIN = 24

/** CSS pixels for each pixel of the composition. */
export const scaleOf = (zoom: Zoom, picture: Size, view: Size): number => {
  if (zoom !== 'fit') return zoom
  const width = Math.max(1, view.width - 2 * MARGIN)
  const height = Math.max(1, view.height - 2 * MARGIN)
  return Math.max(SMALLEST, Math.min(width / picture.width, height / picture.height))
}

/** A zoom within the limits. */
export const limitZoom = (zoom: number): number => Math.min(LARGEST, Math.max(SMALLEST, zoom))

/** Steps of the keys and buttons. */
const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8]

/** The next step from a scale, larger (1) or smaller (-1). */
export const nextZoom = (scale: number, direction: 1 | -1): number => {
  const step =
    direction > 0
      ? STEPS.find((candidate) => candidate > scale * 1.001)
      : STEPS.findLast((candidate) => candidate < scale / 1.001)
  return step ?? limitZoom(scale * (direction > 0 ? 2 : 0.5))
}

/** A pan after a zoom around a point, so that what is there stays there; all from the middle of the view. */
export const panAround = (
  pan: { readonly x: number; readonly y: number },
  point: { readonly x: number; readonly y: number },
  factor: number,
): { readonly x: number; readonly y: number } => ({
  x: point.x - (point.x - pan.x) * factor,
  y: point.y - (point.y - pan.y) * factor,
})
