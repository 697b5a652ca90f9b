import type { PageConfig } from '../../contract/page-config.ts'
import { natives } from '../realm/natives.ts'
import { createBodyContent } from './body/content.ts'
import { arrangeLikeBody, PASSING_TRACKS, setProperty } from './body/layout.ts'
import type { ElementPicture } from './element-context.ts'

/** An element that can be captured; the browser feature is too new for the type library. */
interface PictureCanvas extends HTMLCanvasElement {
  requestPaint(): void
  captureElementImage(element: Element): ElementPicture & Transferable
  onpaint: ((event: { readonly changedElements: readonly Element[] }) => void) | null
}

/** The canvas around the body's content, in a closed shadow tree that no script or style of the page can see. */
export interface RasterStage {
  readonly body: HTMLElement
  readonly canvas: PictureCanvas
  /** The captured element: backgrounds and all content of the body. */
  readonly stage: HTMLElement
  /** The elements that paint the backgrounds of the html and the body element. */
  readonly backdrops: readonly HTMLElement[]
  /** Can be captured too; not shown otherwise. */
  readonly plate: HTMLElement
  /** Waits until the page as it is now has been painted; `capture` runs while its picture can be taken. */
  paint<T>(capture: (changed: boolean) => T): Promise<T>
  /** Lays the body's content out as the body would, with its generated content. */
  arrange(body: CSSStyleDeclaration): void
  /** Copies the backgrounds behind the body's content. */
  paintBehind(html: CSSStyleDeclaration, body: CSSStyleDeclaration): void
}

/** Time in real milliseconds after which a missing paint is requested again. */
const REQUEST_AGAIN_MS = 100

const hasFeature = (canvas: HTMLCanvasElement): canvas is PictureCanvas =>
  'captureElementImage' in canvas && 'requestPaint' in canvas

/** An element outside the picture that changes with each paint, since the browser delays paints without damage. */
const createPulse = () => {
  const element = natives.createElement.call(document, 'i') as HTMLElement
  element.style.cssText = 'position:absolute;left:0;top:0;width:1px;height:1px;pointer-events:none'
  let isBlack = false
  return {
    element,
    beat() {
      isBlack = !isBlack
      element.style.background = isBlack ? '#000' : '#fff'
    },
  }
}

/** Waits for paints of a canvas; `beat` makes the browser paint soon. */
const createPainting = (canvas: PictureCanvas, beat: () => void): RasterStage['paint'] => {
  // The browser also paints without a request, and reports each change once.
  let isDirty = true
  let onPaint: (() => void) | undefined
  canvas.onpaint = ({ changedElements }) => {
    isDirty ||= changedElements.length > 0
    onPaint?.()
  }
  return (capture) =>
    new Promise((resolve, reject) => {
      const request = () => {
        beat()
        canvas.requestPaint()
        timer = natives.setTimeout(request, REQUEST_AGAIN_MS)
      }
      let timer = 0
      onPaint = () => {
        onPaint = undefined
        natives.clearTimeout(timer)
        const changed = isDirty
        isDirty = false
        try {
          resolve(capture(changed))
        } catch (error) {
          reject(error)
        }
      }
      request()
    })
}

/** Puts the stage into a body that has no shadow tree; undefined when the browser or the body cannot take it. */
export const installStage = (body: HTMLElement, { width, height, scale = 1 }: PageConfig): RasterStage | undefined => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  if (!hasFeature(canvas)) return undefined
  const size = `width:${width}px;height:${height}px;`
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  canvas.setAttribute('layoutsubtree', '')
  // The body may be a flex container or a grid: the canvas keeps its size and place.
  canvas.style.cssText = `${size}display:block;left:0;top:0;flex:none;place-self:start;margin:0 auto auto 0;${PASSING_TRACKS}`
  // These two stand for the html and the body element, which are outside the picture.
  const stage = natives.createElement.call(document, 'div') as HTMLElement
  const inner = natives.createElement.call(document, 'div') as HTMLElement
  stage.style.cssText = `${size}position:relative;overflow:hidden;${PASSING_TRACKS}`
  inner.style.cssText = `box-sizing:border-box;${PASSING_TRACKS}`
  const slot = natives.createElement.call(document, 'slot') as HTMLElement
  inner.append(slot)
  stage.append(inner)
  const plate = natives.createElement.call(document, 'div') as HTMLElement
  plate.style.cssText = 'display:none'
  canvas.append(stage, plate)
  const pulse = createPulse()
  let copyContent: () => void
  try {
    const tree = natives.attachShadow.call(body, { mode: 'closed' })
    tree.append(canvas, pulse.element)
    copyContent = createBodyContent(body, tree, 'div>div')
  } catch {
    return undefined // the page's own shadow tree, or a body that cannot have one
  }
  let painted = ''
  return {
    body,
    canvas,
    stage,
    backdrops: [stage, inner],
    plate,
    paint: createPainting(canvas, pulse.beat),
    arrange(bodyStyle) {
      arrangeLikeBody({ body, canvas, inner, slot }, bodyStyle)
      copyContent()
    },
    paintBehind(html, bodyStyle) {
      const hasOwn = paints(html) && paints(bodyStyle)
      const { background } = paints(html) ? html : bodyStyle
      const key = `${background} / ${hasOwn ? bodyStyle.background : ''}`
      if (key === painted) return
      painted = key
      setProperty(stage, 'background', background)
      setProperty(inner, 'background', hasOwn ? bodyStyle.background : 'none')
    },
  }
}

/** Whether an element's style paints a background of its own. */
export const paints = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundImage !== 'none' || !/^rgba\(.*, 0\)$|^transparent$/.test(backgroundColor)
