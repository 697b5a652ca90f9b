/** Loudness below which it is silent, and what a part must have more than the loudest shortly before it. */
const SILENT = 0.05
const RISE = 0.15

/** Seconds before a part in which it must have been quieter. */
const BEFORE = 0.12

/** Seconds of a source at which a sound begins, by the loudest samples of its equal parts. */
export const onsetsOf = (peaks: readonly number[], duration: number): readonly number[] => {
  const part = duration / Math.max(1, peaks.length)
  const count = Math.max(1, Math.ceil(BEFORE / part))
  return peaks.flatMap((peak, index) => {
    const before = Math.max(0, ...peaks.slice(Math.max(0, index - count), index))
    return peak > SILENT && peak - before >= RISE ? [index * part] : []
  })
}
