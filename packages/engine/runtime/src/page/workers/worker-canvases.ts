import { natives, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'
import { findCanvases } from './canvas-search.ts'

/** A canvas of the page that was transferred to a worker, and its replacement for drawing. */
interface Handed {
  readonly canvas: HTMLCanvasElement
  readonly offscreen: OffscreenCanvas
  /** The numbers of its pictures come from a worker. */
  isPosted: boolean
}

/**
 * Canvases that a page transfers to a worker. The browser would show the worker's drawing at any time; here the
 * worker draws on a separate canvas, and its picture is shown in the frame that it was drawn for.
 */
export interface WorkerCanvases {
  install(realm: Realm): void
  /** The numbers of the transferred canvases in a message to a worker, which then draws on them. */
  post(message: unknown): readonly number[]
  /** Shows a picture that a worker has sent of one. */
  show(id: number, picture: ImageBitmap): void
  /** Shows those that the page itself draws on. */
  showLocal(): void
}

const LOST =
  'a canvas was handed to a worker through another object than the Worker: what is drawn on it is not shown; hand it over by postMessage of the Worker itself'

const draw = (canvas: HTMLCanvasElement, picture: ImageBitmap | OffscreenCanvas): void => {
  if (canvas.width !== picture.width) canvas.width = picture.width
  if (canvas.height !== picture.height) canvas.height = picture.height
  const context = natives.getContext.call(canvas, '2d') as CanvasRenderingContext2D | null
  if (!context) return
  context.globalCompositeOperation = 'copy'
  natives.drawImage.call(context, picture, 0, 0)
}

/** Creates the record of all windows. */
export const createWorkerCanvases = (report: (message: string) => void): WorkerCanvases => {
  const handed = new Map<number, Handed>()
  const idOf = new WeakMap<object, number>()
  let lastId = 0
  return {
    install(realm) {
      replaceMethod(
        realm.HTMLCanvasElement.prototype,
        'transferControlToOffscreen',
        function (this: HTMLCanvasElement) {
          if (idOf.has(this) || !natives.getContext.call(this, '2d'))
            throw new realm.DOMException('Cannot transfer control from this canvas.', 'InvalidStateError')
          const offscreen = new realm.OffscreenCanvas(this.width, this.height)
          handed.set(++lastId, { canvas: this, offscreen, isPosted: false })
          idOf.set(this, lastId)
          idOf.set(offscreen, lastId)
          return offscreen
        },
      )
    },
    post: (message) =>
      findCanvases(message).map((offscreen) => {
        const id = idOf.get(offscreen) ?? 0
        const canvas = handed.get(id)
        if (canvas) canvas.isPosted = true
        return id
      }),
    show(id, picture) {
      const canvas = handed.get(id)
      if (canvas) draw(canvas.canvas, picture)
      picture.close()
    },
    showLocal() {
      for (const { canvas, offscreen, isPosted } of handed.values()) {
        if (isPosted) continue
        if (offscreen.width > 0 && offscreen.height > 0) draw(canvas, offscreen)
        else if (canvas.width > 0 && canvas.height > 0) report(LOST)
      }
    },
  }
}
