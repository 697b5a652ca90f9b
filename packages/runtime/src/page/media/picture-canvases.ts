import type { Drawing } from './drawing.ts'

/** Canvases that show pictures in turn. */
export interface PictureCanvases {
  /** The canvas for the next picture, in place of `shown`; the same one when no other can be had. */
  next(shown: Drawing): Drawing
  /** Forgets the canvases that are not shown. */
  clear(): void
}

const bytesOf = ({ canvas: { width, height } }: Drawing): number => width * height * 4

/**
 * Creates canvases to be shown in turn while a page is captured. A captured picture keeps what its canvases show until
 * it is collected as garbage. To draw on a canvas before that copies it into new memory, whose first use costs more
 * than the drawing. So a canvas is used again only after `heldBytes` have been shown, as much as captured pictures may
 * hold; they would hold them in any case.
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
