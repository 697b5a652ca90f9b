import { natives } from '../realm/natives.ts'

/** A canvas and its context. */
export interface Drawing {
  readonly canvas: HTMLCanvasElement
  readonly context: CanvasRenderingContext2D
}

/** Creates a canvas; undefined when the browser has no context for it. */
export const createDrawing = (document: Document): Drawing | undefined => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  // A canvas in CPU memory is part of the page's own picture; another would be a layer above it.
  const context = natives.getContext.call(canvas, '2d', {
    alpha: false,
    willReadFrequently: true,
  }) as CanvasRenderingContext2D | null
  return context ? { canvas, context } : undefined
}
