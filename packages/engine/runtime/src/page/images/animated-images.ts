import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import { createFinder } from '../document/finder.ts'
import { createSheet } from '../document/sheet.ts'
import { createStyleOverride, hideStyleOverrides, type StyleOverride } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { createRealms } from '../realm/realms.ts'
import type { DecodedPicture } from './image-frames.ts'
import { createImageSources, isPausable } from './image-sources.ts'
import { createOtherImages } from './other-images.ts'
import { replaceStyleImages } from './still-styles.ts'

/** Animated images on the clock. Their lengths do not affect the composition's, since most loop endlessly. */
export interface AnimatedImages {
  install(realm: Realm): void
  /** Addresses that are still being read. */
  unread(): string[]
  /** Shows the frames for the clock's time; resolves when they are loaded. */
  show(): Promise<void>
  /** The current picture of an animated image. */
  imageOf(element: HTMLImageElement): HTMLImageElement | undefined
  /** Addresses of animated images of which only the first frame is shown. */
  stills(): string[]
}

interface ShownImage {
  readonly address: string
  readonly override: StyleOverride
  index: number
  picture: DecodedPicture
}

/** Has an effect if the browser can pause animated images. */
const PAUSED = ':root,::before,::after{image-animation:paused!important}'
const NEVER_ANIMATED = /^data:image\/(jpeg|bmp)|\.jpe?g([?#]|$)/i

/** Densities that authors write; a browser rounds the sizes that it divides by one. */
const DENSITIES = [0.5, 1, 1.5, 2, 3, 4]

/** Pixels of an image's file for each CSS pixel, as its `srcset` says. */
const densityOf = ({ naturalWidth }: HTMLImageElement, { image }: DecodedPicture): number => {
  const density = naturalWidth > 0 ? image.naturalWidth / naturalWidth : 1
  return DENSITIES.find((written) => Math.abs(image.naturalWidth / written - naturalWidth) < 1) ?? density
}

/** The style that shows a picture in the place of an image, in the size of the image. */
const contentOf = (image: HTMLImageElement, picture: DecodedPicture): string => {
  const density = image.hasAttribute('srcset') || image.closest('picture') ? densityOf(image, picture) : 1
  const address = `url("${picture.address}")`
  return density === 1 ? address : `image-set(${address} ${density}x)`
}

/** Creates the player of all windows; `startOf` returns the start of the timed element around one, in ms. */
export const createAnimatedImages = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): AnimatedImages => {
  const realms = createRealms()
  const sources = createImageSources()
  const shown = new Map<HTMLImageElement, ShownImage>()
  const find = createFinder('img')
  const others = createOtherImages(clock, startOf, () => [...realms].flatMap(treesOf), sources)
  /** Whether the images of style sheets are static; undefined before the replacement has started. */
  let areStylesStill: boolean | undefined

  const mayBeAnimated = (image: HTMLImageElement): boolean =>
    image.complete &&
    image.currentSrc !== '' &&
    (shown.get(image)?.address === image.currentSrc ||
      (isPausable ? image.matches(':animated-image') : !NEVER_ANIMATED.test(image.currentSrc)))

  const images = () => {
    const all = [...realms].flatMap(treesOf).flatMap((tree) => find(tree))
    return (all as HTMLImageElement[]).filter(mayBeAnimated)
  }

  /** Replaces the images of style sheets by their first frames. */
  const replaceInStyles = () => {
    const replacing = replaceStyleImages([...realms], treesOf, sources.stillOf)
    areStylesStill = replacing.length === 0
    void Promise.allSettled(replacing).then(() => {
      areStylesStill = true
    })
  }

  const release = (image: HTMLImageElement) => {
    shown.get(image)?.override.cancel()
    shown.delete(image)
  }

  const showOne = async (image: HTMLImageElement) => {
    const address = image.currentSrc
    const source = sources.sourceOf(address)
    const frames = source.frames === undefined ? await source.opening : source.frames
    const before = shown.get(image)
    if (before && before.address !== address) release(image)
    if (!frames) return
    const index = frames.indexAt((clock.nowMs - startOf(anchorOf(image))) / 1000)
    const current = shown.get(image)
    if (current?.index === index) return
    // A picture that a style of the page puts in the image's place is left alone.
    if (!current && natives.getComputedStyle(image).content !== 'normal') return
    const used = [...shown.values()].filter((picture) => picture.address === address).map((picture) => picture.index)
    const picture = await frames.picture(index, used)
    const next = current ?? { address, override: createStyleOverride(image), index, picture }
    Object.assign(next, { index, picture })
    shown.set(image, next)
    // The picture is decoded and in memory: it is shown at once, with the style changes of this frame.
    next.override.set({ content: contentOf(image, picture) })
  }

  return {
    install(realm) {
      realms.add(realm)
      hideStyleOverrides(realm)
      createSheet(realm, PAUSED)
    },
    unread() {
      for (const image of images()) sources.sourceOf(image.currentSrc)
      others.read()
      if (document.readyState === 'complete' && areStylesStill === undefined) replaceInStyles()
      const opening = sources.opening()
      return areStylesStill === false ? [...opening, 'images of style sheets'] : opening
    },
    async show() {
      const animated = images()
      const elements = new Set(animated)
      for (const image of shown.keys()) if (!elements.has(image)) release(image)
      await Promise.all([...animated.map(showOne), others.show()])
    },
    imageOf: (image) => shown.get(image)?.picture.image,
    stills: sources.stills,
  }
}
