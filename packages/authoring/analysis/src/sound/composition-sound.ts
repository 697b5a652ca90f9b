/** A stretch of sound, in seconds. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** What is heard of a composition. */
export interface CompositionSound {
  /** Integrated loudness in LUFS, as ITU-R BS.1770 defines it; null where nothing is above its gate. */
  readonly integrated: number | null
  /** Highest loudness of 3 seconds, in LUFS; null where all is shorter or silent. */
  readonly shortTerm: number | null
  /** Highest sample, in dB of full scale; null in silence. */
  readonly peak: number | null
  /** Highest level between samples, in dB of full scale, as ITU-R BS.1770 estimates it, and the second of it; null in silence. */
  readonly truePeak: number | null
  readonly truePeakAt: number
  /** The same of each 100 ms, where it is above -6 dB; null elsewhere. */
  readonly truePeaks: readonly (number | null)[]
  /** Seconds at which something begins to sound, or becomes much louder at once. */
  readonly onsets: readonly number[]
  /** Half a second or more without sound. */
  readonly silent: readonly Stretch[]
  /** Half a second or more that is much louder than the whole. */
  readonly loud: readonly Stretch[]
}
