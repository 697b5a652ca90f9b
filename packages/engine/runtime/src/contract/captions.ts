/** A captions track of the page, with the time in which it is shown. */
export interface PageCaptions {
  /** Its source as written. */
  readonly name: string
  /** Path below the page's origin, without a leading slash, or an absolute URL; null without a source. */
  readonly src: string | null
  readonly kind: 'captions' | 'subtitles'
  /** BCP 47 tag; empty without one. */
  readonly language: string
  readonly label: string
  /** Seconds of the whole composition at which second `mediaStart` of the file is. */
  readonly start: number
  /** Seconds of the whole composition in which it is shown; null when only the composition's end limits it. */
  readonly from: number
  readonly until: number | null
  /** Seconds into the file. */
  readonly mediaStart: number
  /** Seconds of the file in a second of the composition. */
  readonly rate: number
}
