import { ELEMENT_CANVAS } from '../raster/element-canvas.ts'
import { natives, nextTask, type Realm } from '../realm/natives.ts'
import type { PageErrors } from '../realm/page-errors.ts'
import type { FollowerSource } from './follower.ts'

/** The names by which `@hyperframes/shader-transitions` meets the program that renders its page. */
interface ShaderTransitionNames {
  /** Set: the page is rendered, so the library shows no loading screen and takes no pictures of its own beforehand. */
  __HF_VIRTUAL_TIME__?: boolean
  /** Set: the library draws its transitions in the page. */
  __HF_PAGE_SIDE_COMPOSITING__?: boolean
  /** The library says its transitions, and wraps `seek` to announce one by `__hf_page_composite_pending`. */
  __hf?: { seek?(seconds: number): unknown; transitions: readonly { readonly shader?: string }[] }
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

/** What a video's style says of its picture and its place. */
const OF_PICTURES = `display visibility opacity position left top right bottom z-index width height margin transform
  translate rotate scale transform-origin object-fit object-position object-view-box border-radius clip-path filter
  mix-blend-mode background-color`.split(/\s+/)

const sizeOf = (picture: HTMLCanvasElement | HTMLVideoElement) =>
  picture instanceof HTMLVideoElement ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height]

const { toDataURL } = HTMLCanvasElement.prototype

/** An image in the place of a video or a canvas, with what it shows: a canvas in a canvas is not painted. */
const stillOf = async (picture: HTMLCanvasElement | HTMLVideoElement): Promise<HTMLImageElement> => {
  const canvas = natives.createElement.call(document, 'canvas') as HTMLCanvasElement
  const [width = 0, height = 0] = sizeOf(picture)
  canvas.width = width
  canvas.height = height
  // The page's own method has the frame of a video.
  if (width > 0 && height > 0) canvas.getContext('2d')?.drawImage(picture, 0, 0)
  const still = new natives.Image()
  const style = natives.getComputedStyle(picture)
  for (const property of OF_PICTURES) still.style.setProperty(property, style.getPropertyValue(property))
  still.src = toDataURL.call(canvas)
  await still.decode().catch(() => undefined) // of no size
  return still
}

/** Gives the copy of a scene, in a canvas that draws it, the pictures of the scene's canvases and videos. */
const copyPictures = async ({ firstElementChild: copy }: Element): Promise<void> => {
  const scene = copy && document.getElementById(copy.id)
  // A canvas of the page's own holds its elements themselves.
  if (!scene || scene === copy) return
  const copies = copy.querySelectorAll('canvas,video')
  const pictures = [...scene.querySelectorAll<HTMLCanvasElement | HTMLVideoElement>('canvas,video')]
  const stills = await Promise.all(pictures.map(stillOf))
  for (const [index, still] of stills.entries()) copies[index]?.replaceWith(still)
}

/** Draws the transitions of `@hyperframes/shader-transitions` at the time of each frame. */
export const createShaderTransitions = (realm: Realm, errors: PageErrors): FollowerSource => {
  const page = realm as Realm & ShaderTransitionNames
  let isUsed = false
  const names: ShaderTransitionNames = {
    __HF_VIRTUAL_TIME__: true,
    __HF_PAGE_SIDE_COMPOSITING__: true,
    __hf: {
      set transitions(transitions: readonly { readonly shader?: string }[]) {
        isUsed = transitions.some(({ shader }) => shader !== undefined)
        // An object with this name is seeked like an adapter.
        if (page.__hf) page.__hf.seek ??= () => undefined
      },
    },
  }
  // Pages look through the names of their window.
  for (const [name, value] of Object.entries(names))
    Object.defineProperty(page, name, { value, writable: true, configurable: true })

  const draw = () => {
    if (page.__hf_page_composite_pending) errors.guard(realm, () => page.__hf_page_composite_resolve?.())
  }
  const prepare = async () => {
    // What the page changes in this frame belongs to the copies.
    await nextTask()
    await page.__hf_page_composite_prepare?.()
    const canvases = page.document.querySelectorAll<ElementCanvas>(ELEMENT_CANVAS)
    await Promise.all([...canvases].map(copyPictures))
    for (const canvas of canvases) {
      natives.listen.call(canvas, 'paint', draw)
      canvas.requestPaint?.()
    }
  }
  const seek = () => {
    if (!page.__hf_page_composite_resolve) return errors.addOnce(CUT)
    return page.__hf_page_composite_pending ? prepare() : undefined
  }
  return {
    followers: () => (isUsed ? [{ name: '@hyperframes/shader-transitions', seek, silent: true }] : []),
    loading: () => [],
    begin() {},
    hasCallbacks: () => false,
  }
}
