/** How seconds are drawn. */
export interface TimelineScale {
  /** CSS pixels of a second. */
  readonly perSecond: number
  /** CSS pixels of everything. */
  readonly width: number
}

/** Widest that a frame is drawn, in CSS pixels. */
const MAX_FRAME_WIDTH = 24

/** The scale of a zoom: at 0 everything fits into the width, at 1 single frames can be aimed at. */
export const timelineScale = (
  zoom: number,
  { duration, fps, width }: { readonly duration: number; readonly fps: number; readonly width: number },
): TimelineScale => {
  const fit = width / Math.max(duration, 1e-3)
  const maximum = Math.max(fit, MAX_FRAME_WIDTH * fps)
  const perSecond = fit * (maximum / fit) ** Math.min(1, Math.max(0, zoom))
  return { perSecond, width: Math.max(width, duration * perSecond) }
}

/** Distances between two labels, in seconds. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]

/** Narrowest that a label may be, in CSS pixels. */
const LABEL_WIDTH = 72

/** The times to write on the ruler between two times, in seconds. */
export const rulerMarks = (perSecond: number, from: number, until: number): readonly number[] => {
  const step = STEPS.find((seconds) => seconds * perSecond >= LABEL_WIDTH) ?? 7200
  const first = Math.max(0, Math.floor(from / step))
  const count = Math.max(0, Math.floor(until / step + 1e-9) - first + 1)
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toFixed(3)))
}

/** The distance to scroll to, so that a place stays in view while it moves, in CSS pixels. */
export const scrollTo = (place: number, offset: number, view: number): number => {
  const margin = Math.min(48, view / 4)
  if (place < offset + margin) return Math.max(0, place - margin)
  return place > offset + view - margin ? place - margin : offset
}

/** A time as the ruler writes it. */
export const rulerLabel = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  const rest = String(Number((seconds - minutes * 60).toFixed(2)))
  if (minutes === 0) return `${rest} s`
  const within = `${Number(rest) < 10 ? '0' : ''}${rest}`
  return minutes < 60
    ? `${minutes}:${within}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${within}`
}
