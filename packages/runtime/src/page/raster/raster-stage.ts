import type { PageConfig } from '../../contract.ts'
import { natives } from '../natives.ts'

/** An element whose picture can be taken; the browser feature is too new for the type library. */
interface PictureCanvas extends HTMLCanvasElement {
  requestPaint(): void
  captureElementImage(element: Element): Transferable
  onpaint: ((event: { readonly changedElements: readonly Element[] }) => void) | null
}

/** The canvas around the body's content, in a closed shadow tree that no script or style of the page can see. */
export interface RasterStage {
  readonly body: HTMLElement
  readonly canvas: PictureCanvas
  /** What is captured: backgrounds and all content of the body. */
  readonly stage: HTMLElement
  /** Waits until the page as it is now has been painted; `capture` runs while its picture can be taken. */
  paint<T>(capture: (changed: boolean) => T): Promise<T>
  /** Copies what the page paints behind the body's content. */
  paintBehind(html: CSSStyleDeclaration, body: CSSStyleDeclaration): void
}

/** A paint that has not come after this time is asked for once more, in real milliseconds. */
const ASK_AGAIN_MS = 100

const hasFeature = (canvas: HTMLCanvasElement): canvas is PictureCanvas =>
  'captureElementImage' in canvas && 'requestPaint' in canvas

/** Puts the stage into a body that has no shadow tree; undefined when the browser or the body cannot take it. */
export const installStage = (body: HTMLElement, { width, height }: PageConfig): RasterStage | undefined => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  if (!hasFeature(canvas)) return undefined
  const size = `width:${width}px;height:${height}px;`
  canvas.width = width
  canvas.height = height
  canvas.setAttribute('layoutsubtree', '')
  canvas.style.cssText = `${size}display:block`
  // These two stand for the html and the body element, which are outside the picture.
  const stage = natives.createElement.call(document, 'div') as HTMLElement
  const inner = natives.createElement.call(document, 'div') as HTMLElement
  stage.style.cssText = `${size}position:relative;overflow:hidden`
  inner.append(natives.createElement.call(document, 'slot'))
  stage.append(inner)
  canvas.append(stage)
  // Outside the picture: without damage somewhere, the browser takes its time for the next paint.
  const pulse = natives.createElement.call(document, 'i') as HTMLElement
  pulse.style.cssText = 'position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none'
  let beat = false
  try {
    natives.attachShadow.call(body, { mode: 'closed' }).append(canvas, pulse)
  } catch {
    return undefined // the page's own shadow tree, or a body that cannot have one
  }
  const set = (element: HTMLElement, property: string, value: string) => {
    if (element.style.getPropertyValue(property) !== value) element.style.setProperty(property, value)
  }
  let behind = ''
  // The browser also paints when nobody asks, and tells of each change once.
  let isDirty = true
  let onPaint: (() => void) | undefined
  canvas.onpaint = ({ changedElements }) => {
    isDirty ||= changedElements.length > 0
    onPaint?.()
  }

  return {
    body,
    canvas,
    stage,
    paint: (capture) =>
      new Promise((resolve, reject) => {
        const ask = () => {
          beat = !beat
          pulse.style.background = beat ? '#000' : '#fff'
          canvas.requestPaint()
          again = natives.setTimeout(ask, ASK_AGAIN_MS)
        }
        let again = 0
        onPaint = () => {
          onPaint = undefined
          natives.clearTimeout(again)
          const changed = isDirty
          isDirty = false
          try {
            resolve(capture(changed))
          } catch (error) {
            reject(error)
          }
        }
        ask()
      }),
    paintBehind(html, own) {
      const hasOwn = paints(html) && paints(own)
      const bodyHeight = hasOwn ? body.offsetHeight : 0
      const wanted = `${(paints(html) ? html : own).background} / ${hasOwn ? own.background : ''} ${bodyHeight}`
      if (wanted === behind) return
      behind = wanted
      set(stage, 'background', (paints(html) ? html : own).background)
      set(inner, 'background', hasOwn ? own.background : 'none')
      set(inner, 'min-height', `${bodyHeight}px`)
    },
  }
}

/** Whether an element's style paints a background of its own. */
export const paints = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundImage !== 'none' || !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)
