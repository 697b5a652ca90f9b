/** The key of messages between the runtime of a page and that of a worker; page code never sees them. */
export const ORDER = 'vid.clock'

/** A message from a page to a worker: the time, and whether a new frame is shown. */
export interface WorkerOrder {
  readonly timeMs: number
  readonly isFrame: boolean
  /**
   * Whether pictures of the canvases that the page has handed over are sent, since nothing more happens in this frame.
   */
  readonly draws?: boolean
}

/** The key of messages about such canvases: their numbers before the message that brings them, and their pictures. */
export const CANVASES = 'vid.canvases'

/** A worker's drawing on a canvas of the page. */
export interface CanvasPicture {
  readonly id: number
  readonly picture: ImageBitmap
}

/** A worker's reply when it has run everything that is due, or when it closes itself. */
export type WorkerAnswer = 'done' | 'closed'
