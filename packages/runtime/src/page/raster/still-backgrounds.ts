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

/** Pictures that are drawn with the same background before another stands for it. */
const STILL_PICTURES = 8

/** Frames that must follow: making the picture costs as much as drawing the background a dozen times. */
const WORTH_FRAMES = 30

/** A background that has changed so often is drawn as it is. */
const MAX_PICTURES = 2

/** Backgrounds that pictures stand for at once; each is kept in memory in the size of its area. */
const MAX_SHOWN = 4

/** An element with a gradient. */
interface Background {
  readonly element: Element
  place: BackgroundPlace | undefined
  /** Pictures in which it was the same. */
  pictures: number
  /** How often a picture has been made of it. */
  made: number
  shown: { readonly override: StyleOverride; readonly address: string } | undefined
}

/** Gradients that stand still under what moves, drawn once each. */
export interface StillBackgrounds {
  /** How many pictures stand for backgrounds now. */
  count(): number
  /** Takes note of an element of the page. */
  look(element: Element): void
  /** Lets the browser draw those again that have changed or are asked for; called before each picture. */
  update(stage: RasterStage): void
  /** Counts a picture that was drawn. */
  countPicture(): void
  /** Lets a picture stand for a background that is worth it, if so many more frames follow. */
  replaceNext(stage: RasterStage, send: SendJob, framesLeft: number): Promise<void>
}

/** Lets an image be drawn in place of an element's background, whose own styles keep their values. */
const showPicture = (element: Element, address: string): StyleOverride => {
  const override = createStyleOverride(element)
  override.set({
    // The background is only drawn below a border, and there is none.
    backgroundClip: 'border-area',
    // Its middle, and no edges, is drawn over the whole box.
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

/** Whether what the override sets is as it is without one in nearly every page. */
const isReplaceable = ({ backgroundClip, borderImageSource }: CSSStyleDeclaration): boolean =>
  /^((border|padding)-box(, )?)+$/.test(backgroundClip) && borderImageSource === 'none'

/** Whether a policy of the page may refuse images that are not its own, which would be reported as its fault. */
const hasPolicy = ({ document }: Realm): boolean =>
  document.querySelector('meta[http-equiv="content-security-policy" i]') !== null

/** Creates them for a page; none where its browser, or a GPU, draws better. */
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
    // What the body paints is copied to the backdrops; it is not in the picture itself.
    if (!isPossible || element === realm.document.body || !(element instanceof realm.HTMLElement)) return
    const { backgroundImage, backgroundClip } = natives.getComputedStyle(element)
    const background = backgrounds.get(element)
    // An element that inherits how another is drawn would miss its background.
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
        // It is drawn as it was; what failed may be a picture that could not be loaded.
        next.made = MAX_PICTURES
        release(next)
      }
    },
  }
}
