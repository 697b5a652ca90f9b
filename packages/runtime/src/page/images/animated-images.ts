import type { Clock } from '../clock/clock.ts'
import { anchorOf } from '../document/anchor.ts'
import { createFinder } from '../document/finder.ts'
import { createSheet } from '../document/sheet.ts'
import { createOwnAnimation, hideOwnAnimations, type OwnAnimation } from '../motion/own-animations.ts'
import type { Realm } from '../natives.ts'
import { type ImageFrames, NO_DECODER, openImage, type Picture } from './image-frames.ts'
import { holdStyleImages } from './still-styles.ts'

/** Images that move by themselves, on the clock. Their lengths say nothing about the composition's: most loop for ever. */
export interface AnimatedImages {
  install(realm: Realm): void
  /** Addresses that are still being read. */
  unknown(): string[]
  /** Shows what the time of the clock shows; resolves when the frames are there. */
  show(): Promise<void>
  /** The picture that an image shows now, when it moves. */
  imageOf(element: HTMLImageElement): HTMLImageElement | undefined
  /** Addresses of moving images that only show their first frame. */
  stills(): string[]
}

interface Source {
  readonly opening: Promise<ImageFrames | undefined>
  /** Null when it does not move, or nobody can say how. */
  frames?: ImageFrames | null
  isUnread?: boolean
}

interface Shown {
  readonly address: string
  readonly animation: OwnAnimation
  index: number
  picture: Picture
}

/** Heard where the browser knows it: images then never move by themselves. */
const STILL = ':root,::before,::after{image-animation:paused!important}'
const isPausable = CSS.supports('selector(:animated-image)')
const NEVER_MOVES = /^data:image\/(jpeg|bmp)|\.jpe?g([?#]|$)/i

/** Makes the player of all windows; `startOf` gives the start of the timed element around one, in ms. */
export const createAnimatedImages = (
  clock: Clock,
  startOf: (element: Element) => number,
  treesOf: (realm: Realm) => (Document | ShadowRoot)[],
): AnimatedImages => {
  const realms = new Set<Realm>()
  const sources = new Map<string, Source>()
  const shown = new Map<HTMLImageElement, Shown>()
  const inStyles = new Set<string>()
  const find = createFinder('img')
  let isHeld: boolean | undefined

  const sourceOf = (address: string): Source => {
    const known = sources.get(address)
    if (known) return known
    const source: Source = {
      // Such as a file of another site that lets no script read it.
      opening: openImage(address).catch((cause: unknown) => {
        source.isUnread = isPausable ? !inStyles.has(address) : cause === NO_DECODER
        return undefined
      }),
    }
    sources.set(address, source)
    void source.opening.then((frames) => {
      source.frames = frames ?? null
    })
    return source
  }

  const mayMove = (image: HTMLImageElement): boolean =>
    image.complete &&
    image.currentSrc !== '' &&
    (shown.get(image)?.address === image.currentSrc ||
      (isPausable ? image.matches(':animated-image') : !NEVER_MOVES.test(image.currentSrc)))

  const images = () => {
    for (const realm of realms) if (realm.closed) realms.delete(realm)
    const all = [...realms].flatMap((realm) => treesOf(realm)).flatMap((tree) => find(tree))
    return (all as HTMLImageElement[]).filter(mayMove)
  }

  const stillOf = async (address: string): Promise<string | undefined> => {
    inStyles.add(address)
    const frames = await sourceOf(address).opening
    return frames && (frames.isDrawing || !isPausable) ? (await frames.picture(0)).address : undefined
  }

  /** Makes what style sheets name stand at its first frame; most images do by themselves. */
  const holdStyles = () => {
    const holding = holdStyleImages([...realms], treesOf, stillOf)
    isHeld = holding.length === 0
    void Promise.allSettled(holding).then(() => {
      isHeld = true
    })
  }

  const release = (image: HTMLImageElement) => {
    shown.get(image)?.animation.cancel()
    shown.delete(image)
  }

  const showOne = async (image: HTMLImageElement) => {
    const address = image.currentSrc
    const source = sourceOf(address)
    const frames = source.frames === undefined ? await source.opening : source.frames
    const before = shown.get(image)
    if (before && before.address !== address) release(image)
    if (!frames) return
    const index = frames.indexAt((clock.nowMs - startOf(anchorOf(image))) / 1000)
    const known = shown.get(image)
    if (known?.index === index) return
    // A picture that a style puts in the image's place is the page's own.
    if (!known && getComputedStyle(image).content !== 'normal') return
    const used = [...shown.values()].filter((each) => each.address === address).map((each) => each.index)
    const picture = await frames.picture(index, used)
    const now = known ?? { address, animation: createOwnAnimation(image), index, picture }
    Object.assign(now, { index, picture })
    shown.set(image, now)
    // The picture is decoded and in memory: it is shown at once, with the style changes of this frame.
    now.animation.set('content', `url("${picture.address}")`)
  }

  return {
    install(realm) {
      realms.add(realm)
      hideOwnAnimations(realm)
      createSheet(realm, STILL)
    },
    unknown() {
      for (const image of images()) sourceOf(image.currentSrc)
      if (document.readyState === 'complete' && isHeld === undefined) holdStyles()
      const open = [...sources].filter(([, { frames }]) => frames === undefined).map(([address]) => address)
      return isHeld === false ? [...open, 'images of style sheets'] : open
    },
    async show() {
      const moving = images()
      const wanted = new Set(moving)
      for (const image of shown.keys()) if (!wanted.has(image)) release(image)
      await Promise.all(moving.map(showOne))
    },
    imageOf: (image) => shown.get(image)?.picture.image,
    stills: () =>
      [...sources]
        .filter(
          ([address, { frames, isUnread }]) =>
            isUnread || frames?.isStill || (frames && inStyles.has(address)),
        )
        .map(([address]) => address),
  }
}
