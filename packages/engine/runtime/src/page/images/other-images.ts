import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import { createFinder } from '../document/finder.ts'
import { natives } from '../realm/natives.ts'
import type { DecodedPicture } from './image-frames.ts'
import type { ImageSource } from './image-sources.ts'

/** Images that no style can replace: their address is changed. */
const OTHERS = 'image,feImage,input[type=image],video[poster]'

/** Images that do not report a change of their picture, so only the first frame is shown. */
const HELD = 'feImage,video,object,embed'

/** Elements that may show an image in a document of its own, which no clock moves. */
const EMBEDDED = 'object[data],embed[src]'
const MOVING = /^(?:data:)?image\/(?:gif|a?png|webp|avif)|\.(?:gif|a?png|webp|avif)(?:[?#]|$)/i

const SVG = 'http://www.w3.org/2000/svg'
const XLINK = 'http://www.w3.org/1999/xlink'
const NEVER_ANIMATED = /^data:image\/(?:jpeg|bmp)|\.jpe?g(?:[?#]|$)/i
const DRAWING = /\.svg(?:[?#]|$)/i

/** The attribute that names an element's image. */
interface Place {
  readonly address: string | null
  write(address: string): void
}

const placeOf = (element: Element): Place => {
  if (element.namespaceURI === SVG) {
    const namespace = element.hasAttribute('href') ? null : XLINK
    const name = namespace === null ? 'href' : 'xlink:href'
    return {
      address: element.getAttributeNS(namespace, 'href'),
      write: (address) => element.setAttributeNS(namespace, name, address),
    }
  }
  const name = element.localName === 'video' ? 'poster' : 'src'
  return { address: element.getAttribute(name), write: (address) => element.setAttribute(name, address) }
}

/** For other sites, whose files a script may not be able to read, only drawings count, since no style pauses them. */
const mayBeAnimated = (address: string): boolean =>
  !NEVER_ANIMATED.test(address) &&
  (/^(?:data|blob):/.test(address) || new URL(address).origin === location.origin || DRAWING.test(address))

/** The images of a tree that are embedded, with their addresses. */
const embeddedIn = (tree: Document | ShadowRoot): (readonly [element: Element, address: string])[] =>
  [...tree.querySelectorAll(EMBEDDED)].flatMap((element) => {
    const address = element.getAttribute('data') ?? element.getAttribute('src') ?? ''
    const isMoving = MOVING.test(element.getAttribute('type') ?? '') || MOVING.test(address)
    return isMoving && URL.canParse(address, element.baseURI) ? [[element, new URL(address, element.baseURI).href]] : []
  })

interface Shown {
  /** The value that the page wrote. */
  readonly address: string
  readonly index: number
  readonly picture: DecodedPicture
}

/** The source of image files, which also records that only the first frame of a file is shown. */
interface Sources {
  sourceOf(address: string): ImageSource
  hold(address: string): void
}

/** Animated images in SVG, in image buttons and in front of videos. */
export interface OtherImages {
  /** Starts reading the files that may be animated. */
  read(): void
  /** Shows the frames for the clock's time; resolves when they are loaded. */
  show(): Promise<void>
}

/** Creates the player; `startOf` returns the start of the timed element around one, in ms. */
export const createOtherImages = (
  clock: Clock,
  startOf: (element: Element) => number,
  trees: () => (Document | ShadowRoot)[],
  sources: Sources,
): OtherImages => {
  const find = createFinder(OTHERS)
  const shown = new Map<Element, Shown>()
  const loading = new Map<EventTarget, () => void>()
  const guarded = new WeakSet<Node>()

  /** Intercepts the load events of new pictures, since for the page its image has not changed. */
  const guard = (element: Element) => {
    if (guarded.has(element)) return
    guarded.add(element)
    const settle = (event: Event) => {
      const done = loading.get(element)
      if (!done) return
      event.stopImmediatePropagation()
      done()
    }
    // An <image> only dispatches events to its own listeners.
    for (const type of ['load', 'error']) natives.listen.call(element, type, settle, true)
  }

  const images = (): (readonly [element: Element, address: string])[] =>
    trees().flatMap((tree) =>
      find(tree).flatMap((element) => {
        const { address } = placeOf(element)
        const before = shown.get(element)
        if (before && address === before.picture.address) return [[element, before.address] as const]
        if (address === null || !URL.canParse(address, element.baseURI)) return []
        const { href } = new URL(address, element.baseURI)
        return mayBeAnimated(href) ? [[element, href] as const] : []
      }),
    )

  /** Resolves when the element shows its new picture. */
  const swap = async (element: Element, address: string): Promise<void> => {
    const { write } = placeOf(element)
    if (element.matches(HELD)) return write(address)
    guard(element)
    await new Promise<void>((resolve) => {
      loading.set(element, resolve)
      write(address)
    })
    loading.delete(element)
  }

  const showOne = async (element: Element, address: string) => {
    const source = sources.sourceOf(address)
    const frames = source.frames === undefined ? await source.opening : source.frames
    const before = shown.get(element)
    if (!frames) return void shown.delete(element)
    const isHeld = element.matches(HELD)
    const index = isHeld ? 0 : frames.indexAt((clock.nowMs - startOf(anchorOf(element))) / 1000)
    if (before?.address === address && before.index === index) return
    const used = [...shown.values()].filter((picture) => picture.address === address).map((picture) => picture.index)
    const picture = await frames.picture(index, used)
    shown.set(element, { address, index, picture })
    await swap(element, picture.address)
  }

  return {
    read() {
      for (const [element, address] of [...images(), ...trees().flatMap(embeddedIn)]) {
        sources.sourceOf(address)
        if (element.matches(HELD)) sources.hold(address)
      }
    },
    async show() {
      const all = images()
      const present = new Set(all.map(([element]) => element))
      for (const element of shown.keys()) if (!present.has(element)) shown.delete(element)
      await Promise.all(all.map(([element, address]) => showOne(element, address)))
    },
  }
}
