import { findCanvases } from './canvas-search.ts'
import { CANVASES, type CanvasPicture } from './worker-order.ts'

/** In a worker: the canvases that the page has handed to it. */
export const createCanvasPictures = (
  post: (message: unknown, transfer: Transferable[]) => void,
  create: typeof createImageBitmap,
) => {
  const canvases = new Map<number, OffscreenCanvas>()
  let announced: readonly number[] = []
  return {
    /** Records which canvases are in the next message. */
    announce(ids: readonly number[]) {
      announced = ids
    },
    receive(message: unknown) {
      if (announced.length === 0) return
      const located = findCanvases(message)
      announced.forEach((id, index) => {
        const canvas = located[index]
        if (canvas && id > 0) canvases.set(id, canvas)
      })
      announced = []
    },
    /** Sends the page a picture of each. */
    async send(): Promise<void> {
      const pictures: CanvasPicture[] = []
      for (const [id, canvas] of canvases)
        if (canvas.width > 0 && canvas.height > 0) pictures.push({ id, picture: await create(canvas) })
      if (pictures.length > 0)
        post(
          { [CANVASES]: pictures },
          pictures.map(({ picture }) => picture),
        )
    },
  }
}
