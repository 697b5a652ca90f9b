/**
 * An uncaught error or rejection of a page script, or a script or style sheet that did not load; `source` is its URL
 * and `line` counts from 1.
 */
export interface PageError {
  readonly message: string
  readonly source?: string
  readonly line?: number
  /** Set when the problem is that the script or style sheet `source` did not load. */
  readonly isLoad?: true
  /** Set for a style sheet, which no script is to blame for. */
  readonly isStyle?: true
  /** Set for an error that a script threw and nothing caught. */
  readonly isThrown?: true
  /**
   * Set for a difference from a browser window rather than an error; the message describes it, and what to do instead.
   */
  readonly isNote?: true
}

/** One thing that the page still waits for. */
export interface PendingPart {
  readonly reason: 'document' | 'root' | 'fonts' | 'images' | 'media' | 'promise'
  /** For `media`, the source whose facts are missing. */
  readonly detail: string
}

/** Whether the page can begin, and if not, what it waits for. */
export interface ReadyReport {
  readonly ready: boolean
  readonly pending: readonly PendingPart[]
  readonly errors: readonly PageError[]
}

/** Characters that no font of the page has a glyph for, and the first element that contains them. */
export interface MissingGlyphs {
  readonly characters: string
  /** As a CSS selector: tag name, and id or first class. */
  readonly element: string
}
