import type { PageConfig } from '../../contract/page-config.ts'
import { createDepth } from '../depth/depth.ts'
import { createElementScan, type ScanParts } from '../depth/element-scan.ts'
import { contentLook, looksOf } from '../depth/generated-content.ts'
import { createSpaces } from '../depth/spaces.ts'
import { isBetweenPixels, isMove } from '../depth/transforms.ts'
import { HIDDEN_CLIPS } from '../document/clips.ts'
import { createStyleOverrides } from '../motion/style-override.ts'
import { natives, type Realm } from '../realm/natives.ts'
import { backdropReason, hasBackdrop, isBareBackdrop, isTransformedBackdrop, PAINTED, UNFILTERED } from './backdrops.ts'
import { bodyStyleReason, boxReason } from './body/eligibility.ts'
import { createCanvasPlacement, isMisplacedAndMoved } from './canvas-placement.ts'
import {
  ALWAYS,
  elementReason,
  isRaised,
  LAYERED,
  layerReason,
  TOP_LAYER,
  type TreesIn,
  topLayerReason,
  VOLATILE,
} from './element-eligibility.ts'
import type { FrameFacts } from './happenings.ts'
import { createPlacedLayers } from './placed-layers.ts'
import type { RasterStage } from './raster-stage.ts'

/** Checks whether the page contains anything that is known to be drawn wrongly in the picture of an element. */
interface RasterEligibility {
  /** The reason why the page cannot be captured as an element in its current state; undefined if it can. */
  check(stage: RasterStage): string | undefined
  /** Brings the page into the form in which it is captured; returns the reason if that is impossible. */
  prepare(): string | undefined
  /** Stops filtering backdrops that a screenshot shows differently; returns whether there are any. */
  hideTransformedBackdrops(): boolean
  restoreTransformedBackdrops(): void
  /** Restores the page after a picture. */
  restore(): void
  /** Number of elements in the page that may change without the browser reporting it. */
  countVolatile(): number
  /** Whether a screenshot of the page, before it is prepared, has moved layers, with differently antialiased edges. */
  hasMovedLayers(): boolean
  /** Number of images that may be another one in each frame; all images of image elements count as one. */
  countImages(): number
  /** What the frames of the page differ in when something happens, as it is after a check. */
  facts(): FrameFacts
}

/** Values of `will-change` with which a browser gives an element, and what overlaps it, a layer in a screenshot. */
const LAYER_HINT = /transform|translate|rotate|scale|perspective|opacity|filter|top|left|right|bottom/

/** What may become another one in a canvas, a video or a frame. */
const LAYER_STATE = ['width', 'height', 'currentSrc', 'src', 'data', 'contentDocument']

/** Whether an element shows an image, or may have one in a shadow tree. */
const mayShowImage = (element: Element): boolean =>
  element.matches('img,image,input[type=image]') || element.shadowRoot !== null || element.localName.includes('-')

/** Inputs and callbacks of the check. */
export interface EligibilityParts extends Pick<ScanParts, 'trees' | 'styled' | 'animated'> {
  /** Whether a video's picture has the size of the video. */
  fits(video: Element): boolean
  readonly treesIn: TreesIn
  /** Called with each element that is checked. */
  look(element: Element): void
}

/** Creates the check; unchanged elements are checked once. */
export const createRasterEligibility = (
  realm: Realm,
  config: PageConfig,
  { trees, treesIn, styled, animated, fits, look }: EligibilityParts,
): RasterEligibility => {
  const { document } = realm
  const placed = createPlacedLayers(realm)
  const depth = createDepth()
  const spaces = createSpaces()
  let turned: readonly Element[] = []
  const glasses = new Set<Element>()
  const layers = new Set<Element>()
  let volatile: Element[] = []
  /** Whether any element may show a different image in each frame. */
  let hasImages = false
  /** Elements that were in the top layer, which they may leave later than they are closed. */
  const raised = new Set<Element>()
  const scan = createElementScan(realm, {
    trees,
    styled,
    animated,
    always: ALWAYS,
    visit(element) {
      hasImages ||= mayShowImage(element)
      if (element.matches(TOP_LAYER)) raised.add(element)
      const reason = elementReason(element, treesIn)
      if (reason !== undefined) return reason
      const style = natives.getComputedStyle(element)
      // Their backs are hidden for another reason.
      if (!element.matches(LAYERED)) depth.look(element, style)
      if (hasBackdrop(style)) glasses.add(element)
      if (LAYER_HINT.test(style.willChange)) layers.add(element)
      look(element)
      return undefined
    },
    changed() {
      volatile = trees().flatMap((tree) => [...tree.querySelectorAll(VOLATILE)])
    },
    isHeld: depth.isHeld,
    restyled: depth.lookAgain,
  })

  const raisedReason = (): string | undefined => {
    for (const element of raised) {
      if (isRaised(element)) return topLayerReason(element)
      raised.delete(element)
    }
    return undefined
  }
  const depthReason = (): string | undefined => {
    turned = depth.update()
    if (turned.length === 0) spaces.clear()
    const reason = turned.length > 0 ? spaces.arrange(depth.backs(), depth.spaces()) : undefined
    return reason && `elements in 3D: ${reason}`
  }
  const shownGlasses = () => [...glasses].filter(({ isConnected }) => isConnected)
  const glassReason = () =>
    shownGlasses()
      .map(backdropReason)
      .find((reason) => reason !== undefined)

  const { scale = 1 } = config
  const placement = createCanvasPlacement(scale)
  const painted = createStyleOverrides()
  const unfiltered = createStyleOverrides()
  const shownLayers = () =>
    volatile.filter((element) => element.matches(LAYERED) && element.getClientRects().length > 0)
  const shownCanvases = () =>
    shownLayers().filter((element): element is HTMLCanvasElement => element.localName === 'canvas')

  const layersNow = () =>
    volatile
      .filter((element) => element.getClientRects().length > 0)
      .flatMap((element) => [element, ...LAYER_STATE.map((name) => Reflect.get(element, name))])

  return {
    facts() {
      const now = trees()
      return {
        elements: [scan.structure()],
        clips: now.flatMap((tree) => [...tree.querySelectorAll(HIDDEN_CLIPS)]),
        sheets: styled.sheets(now),
        styles: scan.styled(),
        content: styled.findWithContent(now).flatMap(contentLook),
        depth: turned,
        glass: shownGlasses().filter((element) => hasBackdrop(natives.getComputedStyle(element))),
        layers: layersNow(),
      }
    },
    prepare() {
      painted.set(shownGlasses().filter(isBareBackdrop), PAINTED)
      return placement.apply(shownCanvases())
    },
    hideTransformedBackdrops: () => unfiltered.set(shownGlasses().filter(isTransformedBackdrop), UNFILTERED),
    restoreTransformedBackdrops: unfiltered.cancel,
    restore() {
      placement.clear()
      painted.cancel()
    },
    countVolatile: () => volatile.length,
    hasMovedLayers: () =>
      turned.length + glasses.size > 0 ||
      shownCanvases().some((canvas) => isMisplacedAndMoved(canvas, scale)) ||
      shownLayers().some((element) => isBetweenPixels(element, scale)) ||
      [...layers].some(({ isConnected }) => isConnected) ||
      [...animated()].some((element) => element.isConnected && !looksOf(element).every(isMove)),
    countImages: () => volatile.length || Number(hasImages),
    check(stage) {
      const html = natives.getComputedStyle(document.documentElement)
      const body = natives.getComputedStyle(stage.body)
      const scanned = scan.run()
      placed.update(volatile)
      const reason =
        scanned ??
        raisedReason() ??
        bodyStyleReason(realm) ??
        boxReason(realm, config, html, body) ??
        depthReason() ??
        glassReason()
      if (reason !== undefined) return reason
      stage.arrange(body)
      stage.paintBehind(html, body)
      for (const element of volatile) {
        const layered = element.matches(LAYERED) ? layerReason(element, { fits, scale }) : undefined
        if (layered !== undefined) return layered
      }
      return undefined
    },
  }
}
