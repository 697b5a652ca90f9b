/** What a time can snap to. */
export interface SnapPoint {
  /** Seconds of the whole composition. */
  readonly seconds: number
  readonly kind: 'clip' | 'playhead' | 'second' | 'onset' | 'edge'
}

/** How near a time must be, in CSS pixels. */
const REACH = 8

/** Points that win over others that are as near: the first. */
const ORDER: readonly SnapPoint['kind'][] = ['playhead', 'edge', 'clip', 'onset', 'second']

/** Where one of some times snaps to. */
export interface Snap {
  readonly point: SnapPoint
  /** Seconds to add to all of the times, so that one of them is at the point. */
  readonly by: number
}

/** The nearest point that is in reach of one of some times; undefined for none. */
export const snapTo = (times: readonly number[], points: readonly SnapPoint[], perSecond: number): Snap | undefined => {
  const reach = REACH / perSecond
  let best: Snap | undefined
  const rank = ({ point, by }: Snap) => Math.abs(by) + ORDER.indexOf(point.kind) * 1e-6
  for (const time of times)
    for (const point of points) {
      const snap = { point, by: point.seconds - time }
      if (Math.abs(snap.by) <= reach && (!best || rank(snap) < rank(best))) best = snap
    }
  return best
}

/** The whole seconds of a composition, as far as they are wide enough apart to be told from each other. */
export const secondPoints = (duration: number, perSecond: number): readonly SnapPoint[] =>
  perSecond < 4 * REACH
    ? []
    : Array.from({ length: Math.floor(duration) + 1 }, (_, seconds) => ({ seconds, kind: 'second' }))
