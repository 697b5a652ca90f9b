/** A chapter of the page, which begins with a clip. */
export interface PageChapter {
  readonly title: string
  /** Seconds of the whole composition. */
  readonly start: number
}
