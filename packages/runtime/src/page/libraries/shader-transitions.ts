import { ELEMENT_CANVAS } from '../raster/element-canvas.ts'
import { natives, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import type { FollowerSource } from './follower.ts'

/** The names by which `@hyperframes/shader-transitions` meets the program that renders its page. */
interface ShaderTransitionNames {
  /** Set: the page is rendered, so the library shows no loading screen and takes no pictures of its own beforehand. */
  __HF_VIRTUAL_TIME__?: boolean
  /** Read when the library decides to draw its transitions in the page. */
  __HF_PAGE_SIDE_COMPOSITING__?: boolean
  /** The library wraps `seek`, which announces a transition by `__hf_page_composite_pending`. */
  __hf?: { seek?(seconds: number): unknown; transitions?: unknown }
  __hf_page_composite_pending?: boolean
  /** Puts copies of both scenes into canvases that draw elements. */
  __hf_page_composite_prepare?(): Promise<unknown>
  /** Draws the transition, once the browser has painted the copies. */
  __hf_page_composite_resolve?(): unknown
}

const CUT =
  'Transitions of @hyperframes/shader-transitions are shown as cuts: this browser cannot draw elements into a canvas (drawElementImage)'

interface ElementCanvas extends HTMLCanvasElement {
  requestPaint?(): void
}

/** Draws the transitions of `@hyperframes/shader-transitions` at the time of each frame. */
export const createShaderTransitions = (realm: Realm, errors: PageErrors): FollowerSource => {
  const page = realm as Realm & ShaderTransitionNames
  let isUsed = false
  page.__HF_VIRTUAL_TIME__ = true
  page.__hf = { seek: () => undefined }
  Object.defineProperty(page, '__HF_PAGE_SIDE_COMPOSITING__', {
    configurable: true,
    get() {
      isUsed = true
      return true
    },
  })

  const draw = () => {
    if (page.__hf_page_composite_pending) errors.guard(realm, () => page.__hf_page_composite_resolve?.())
  }
  const prepare = async () => {
    // What the page changes in this frame belongs to the copies.
    await Promise.resolve()
    await page.__hf_page_composite_prepare?.()
    const canvas = page.document.querySelector<ElementCanvas>(ELEMENT_CANVAS)
    if (canvas) natives.listen.call(canvas, 'paint', draw)
    canvas?.requestPaint?.()
  }
  const seek = (seconds: number) => {
    if (!page.__hf_page_composite_resolve) return errors.addOnce(CUT)
    page.__hf?.seek?.(seconds)
    return page.__hf_page_composite_pending ? prepare() : undefined
  }
  return {
    followers: () => (isUsed ? [{ name: '@hyperframes/shader-transitions', seek, silent: true }] : []),
    loading: () => [],
    begin() {},
    hasCallbacks: () => false,
  }
}
