import type { Drawing } from './drawing.ts'

/** Alternating canvases for pictures. */
export interface PictureCanvases {
  /** The canvas for the next picture, replacing `shown`; the same one if no other is available. */
  next(shown: Drawing): Drawing
  /** Forgets the canvases that are not shown. */
  clear(): void
}

const bytesOf = ({ canvas: { width, height } }: Drawing): number => width * height * 4

/**
 * Creates alternating canvases for the capture of a page. A captured picture retains the content of its canvases until
 * it is garbage collected. Drawing on a canvas before that copies it into new memory, and the first use of that costs
 * more than the drawing. A canvas is therefore reused only after `heldBytes` have been shown, as much as captured
 * pictures may retain anyway.
 */
export const createPictureCanvases = (create: () => Drawing | undefined, heldBytes: number): PictureCanvases => {
  let waiting: Drawing[] = []
  return {
    next(shown) {
      const bytes = waiting.reduce((sum, picture) => sum + bytesOf(picture), 0)
      // One picture more, since garbage is collected while the last captured one is still drawn.
      const isEnough = bytes >= heldBytes + bytesOf(shown)
      const next = isEnough ? waiting.shift() : create()
      if (!next) return shown
      waiting.push(shown)
      return next
    },
    clear() {
      waiting = []
    },
  }
}
