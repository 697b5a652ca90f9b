import type { UploadReply } from '../../edit-api.ts'

/** Seconds that a picture is shown. */
const PICTURE_SECONDS = 3

/** A clip of a file that was dropped. */
export interface DroppedClip {
  readonly import: string
  readonly kind: UploadReply['kind']
  /** Seconds of the composition. */
  readonly start: number
  readonly duration: number
}

const clean = (seconds: number) => Math.round(seconds * 1e3) / 1e3

/** The clips of files one after the other, those at the end cut to the length of the composition. */
export const placeDropped = (
  uploads: readonly UploadReply[],
  seconds: number,
  length: number,
): readonly DroppedClip[] => {
  let start = seconds
  return uploads.map(({ upload, kind, duration }) => {
    const whole = duration ?? PICTURE_SECONDS
    const rest = length - start
    const clip = {
      import: upload,
      kind,
      start: clean(start),
      duration: clean(rest > 0 ? Math.min(whole, rest) : whole),
    }
    start = clip.start + clip.duration
    return clip
  })
}
