import type { MediaUse } from '@vid/protocol'

/** Seconds into the source that a use plays at `seconds` of the composition; held at the source's end, or wrapped. */
export const sourceTime = (
  { start, mediaStart, rate, loop }: Pick<MediaUse, 'start' | 'mediaStart' | 'rate' | 'loop'>,
  length: number,
  seconds: number,
): number => {
  const played = Math.max(0, seconds - start) * rate
  const available = length - mediaStart
  if (available <= 0) return Math.max(0, Math.min(mediaStart, length))
  // Rounding must not show the last frame where the next repeat begins.
  return mediaStart + (loop ? (played + 1e-7) % available : Math.min(played, available))
}
