/** Characters of a title; longer ones are cut, since mp4 has a length of its own for them. */
export const MAX_CHAPTER_TITLE = 200

/** A chapter of the page, which begins with a clip. */
export interface PageChapter {
  readonly title: string
  /** Seconds of the whole composition. */
  readonly start: number
}
