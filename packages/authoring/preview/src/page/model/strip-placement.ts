/** How a media element plays its source. */
export interface PlayedPart {
  /** Second of the source at which it begins. */
  readonly mediaStart: number
  readonly rate: number
}

/** Where a picture of a whole source stands in the clip that plays it, in CSS pixels. */
export const stripPlacement = (
  { mediaStart, rate }: PlayedPart,
  duration: number,
  perSecond: number,
): { readonly width: number; readonly offset: number } => {
  const perSourceSecond = perSecond / (rate > 0 ? rate : 1)
  return { width: Math.max(1, duration * perSourceSecond), offset: -mediaStart * perSourceSecond || 0 }
}
