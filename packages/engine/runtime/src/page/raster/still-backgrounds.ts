import type { PageConfig } from '../../contract/page-config.ts'
import { loadPicture } from '../images/image-frames.ts'
import { createStyleOverride, type StyleOverride } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import {
  BACKGROUND_STYLES,
  type BackgroundPlace,
  type BackgroundView,
  isUpright,
  placeOfBackground,
} from './background-place.ts'
import type { RasterStage } from './raster-stage.ts'
import type { SendJob } from './raster-worker-link.ts'
import { watchStyleQueries } from './style-queries.ts'

/** Pictures with an unchanged background before a cached picture replaces it. */
const STILL_PICTURES = 8

/** Frames that must follow, since creating the picture costs as much as drawing the background a dozen times. */
const WORTH_FRAMES = 30

/** A background that has changed this often is no longer cached. */
const MAX_PICTURES = 2

/** Limit on cached backgrounds; each takes memory in the size of its area. */
const MAX_SHOWN = 4

/** An element with a gradient. */
interface Background {
  readonly element: Element
  place: BackgroundPlace | undefined
  /** Number of pictures in which it was unchanged. */
  pictures: number
  /** How often it has been cached. */
  made: number
  shown: { readonly override: StyleOverride; readonly address: string } | undefined
}

/** Static gradients below moving content, each drawn once and cached. */
export interface StillBackgrounds {
  /** Number of backgrounds that are cached now. */
  count(): number
  /** Records an element of the page. */
  look(element: Element): void
  /** Restores backgrounds that have changed or are queried by scripts; called before each picture. */
  update(stage: RasterStage): void
  /** Counts a picture that was drawn. */
  countPicture(): void
  /** Caches a background if that is worthwhile for the number of remaining frames. */
  replaceNext(stage: RasterStage, send: SendJob, framesLeft: number): Promise<void>
}

/** Draws an image instead of an element's background, without changing its computed styles. */
const showPicture = (element: Element, address: string): StyleOverride => {
  const override = createStyleOverride(element)
  override.set({
    // Draws the background only below the border, and there is none.
    backgroundClip: 'border-area',
    // Draws only the middle of the image, over the whole box.
    borderImageSource: `url(${JSON.stringify(address)})`,
    borderImageSlice: '0 fill',
    borderImageWidth: '0',
    borderImageOutset: '0',
    borderImageRepeat: 'stretch',
  })
  return override
}

/** Captures a background alone, and the whole picture with it. */
const captureBoth = async ({ canvas, stage, plate, paint }: RasterStage, { size, styles }: BackgroundPlace) => {
  plate.style.cssText = `display:block;box-sizing:border-box;width:${size.width}px;height:${size.height}px;`
  for (const [index, name] of BACKGROUND_STYLES.entries()) plate.style.setProperty(name, styles[index] ?? '')
  try {
    return await paint(() => ({
      alone: canvas.captureElementImage(plate),
      before: canvas.captureElementImage(stage),
    }))
  } finally {
    plate.style.cssText = 'display:none'
  }
}

/** Whether the properties of the override have their initial values, as in nearly every page. */
const isReplaceable = ({ backgroundClip, borderImageSource }: CSSStyleDeclaration): boolean =>
  /^((border|padding)-box(, )?)+$/.test(backgroundClip) && borderImageSource === 'none'

/** Whether a policy of the page may refuse foreign images, which would be reported as a fault of the page. */
const hasPolicy = ({ document }: Realm): boolean =>
  document.querySelector('meta[http-equiv="content-security-policy" i]') !== null

/** Creates the cache of a page; empty if its browser or a GPU draws faster. */
export const createStillBackgrounds = (
  realm: Realm,
  { width, height, scale = 1, raster }: PageConfig,
): StillBackgrounds => {
  const backgrounds = new Map<Element, Background>()
  const requests = new WeakSet<Element>()
  const isPossible = !raster?.onGpu && CSS.supports('background-clip', 'border-area')

  const release = (background: Background) => {
    background.pictures = 0
    const { shown } = background
    if (!shown) return
    background.shown = undefined
    shown.override.cancel()
    natives.revokeObjectURL.call(URL, shown.address)
  }
  if (isPossible)
    watchStyleQueries(realm, (element) => {
      requests.add(element)
      const background = backgrounds.get(element)
      if (background) release(background)
    })

  const look = (element: Element) => {
    // The body's background is copied to the backdrops; it is not in the picture itself.
    if (!isPossible || element === realm.document.body || !(element instanceof realm.HTMLElement)) return
    const { backgroundImage, backgroundClip } = natives.getComputedStyle(element)
    const background = backgrounds.get(element)
    // An element that inherits these properties would lose its background.
    if (!background?.shown && backgroundClip.includes('border-area'))
      for (const entry of backgrounds.values()) release(entry)
    if (!background && backgroundImage.includes('gradient('))
      backgrounds.set(element, { element, pictures: 0, made: 0, place: undefined, shown: undefined })
  }

  const isWorth = ({ place, pictures, made, element, shown }: Background): boolean =>
    !shown &&
    place !== undefined &&
    pictures >= STILL_PICTURES &&
    made < MAX_PICTURES &&
    isReplaceable(natives.getComputedStyle(element)) &&
    !(raster?.native && isUpright(natives.getComputedStyle(element).backgroundImage))

  const count = () => [...backgrounds.values()].filter(({ shown }) => shown).length

  const replace = async (background: Background, place: BackgroundPlace, stage: RasterStage, send: SendJob) => {
    background.made += 1
    const { alone, before } = await captureBoth(stage, place)
    const made = await send({ picture: alone, area: place.area }, [alone])
    if (!('still' in made) || !made.still) {
      before.close?.()
      background.made = MAX_PICTURES
      return
    }
    const { address } = await loadPicture(made.still)
    background.shown = { override: showPicture(background.element, address), address }
    const after = await stage.paint(() => stage.canvas.captureElementImage(stage.stage))
    const proof = await send({ pictures: [before, after] }, [before, after])
    if (!('equal' in proof) || !proof.equal) {
      background.made = MAX_PICTURES
      release(background)
    }
  }

  return {
    count,
    look,
    update(stage) {
      if (!isPossible) return
      for (const element of stage.backdrops) look(element)
      const view: BackgroundView = {
        canvas: stage.canvas,
        scale,
        width: Math.round(width * scale),
        height: Math.round(height * scale),
      }
      for (const background of backgrounds.values()) {
        const { element } = background
        const place = element.isConnected && !requests.has(element) ? placeOfBackground(element, view) : undefined
        if (place?.key !== background.place?.key) release(background)
        background.place = place
        if (!element.isConnected) backgrounds.delete(element)
      }
    },
    countPicture() {
      for (const background of backgrounds.values()) background.pictures += 1
    },
    async replaceNext(stage, send, framesLeft) {
      if (!isPossible || framesLeft < WORTH_FRAMES) return
      if (count() >= MAX_SHOWN) return
      const next = [...backgrounds.values()].find(isWorth)
      if (!next?.place || hasPolicy(realm)) return
      try {
        await replace(next, next.place, stage, send)
      } catch {
        // It is drawn normally; the failure may be a picture that could not be loaded.
        next.made = MAX_PICTURES
        release(next)
      }
    },
  }
}
