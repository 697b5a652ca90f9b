import type { PageConfig } from '../contract/page-config.ts'
import { createAdopt, type Installable } from './adopt.ts'
import { type Clock, installClock } from './clock/clock.ts'
import { createFrames } from './clock/frames.ts'
import { createListeners } from './clock/listeners.ts'
import { installLiveSound } from './clock/live-sound.ts'
import { createMessages } from './clock/messages.ts'
import { installOwnClocks } from './clock/own-clocks.ts'
import { createPageRandom } from './clock/random.ts'
import { createRealClocks } from './clock/real-clocks.ts'
import { createTimers } from './clock/timers.ts'
import { installViewTransitions } from './clock/view-transitions.ts'
import { createClips } from './document/clips.ts'
import { watchDocument } from './document/document-watch.ts'
import { createHiddenTrees } from './document/hidden-trees.ts'
import { createLayout } from './document/layout.ts'
import { installPixelRatio } from './document/pixel-ratio.ts'
import { watchScrolling } from './document/scrolling.ts'
import { createShadows } from './document/shadows.ts'
import { keepSheets } from './document/sheet.ts'
import { createBinder, createVariableLookup } from './document/variables.ts'
import { createDocumentScope } from './embedded/document-scope.ts'
import { createInstances, type Instance } from './embedded/instances.ts'
import { createGradings } from './grading/gradings.ts'
import { createAnimatedImages } from './images/animated-images.ts'
import { createAdapters } from './libraries/adapters.ts'
import { watchHyperframes } from './libraries/hyperframes.ts'
import { createTimelines } from './libraries/timelines.ts'
import { createLateLoads } from './loads/late-loads.ts'
import { createDrawing } from './media/drawing.ts'
import { createMedia } from './media/media.ts'
import { installMediaElements } from './media/media-element.ts'
import { installMediaPictures } from './media/media-pictures.ts'
import { createPictureCanvases } from './media/picture-canvases.ts'
import { createVideoFrames } from './media/video-frames.ts'
import { createVolumes } from './media/volume.ts'
import { createAnimations } from './motion/animations.ts'
import { createIndeterminate } from './motion/indeterminate.ts'
import { createSmil } from './motion/smil.ts'
import { createIntersectionObservers } from './observers/intersection-observers.ts'
import { createResizeObservers } from './observers/resize-observers.ts'
import { UNCOLLECTED_BYTES } from './raster/picture-collection.ts'
import { createCanvasTexts } from './readiness/canvas-texts.ts'
import { createFreezeStyles } from './readiness/freeze-styles.ts'
import { createGlyphCheck } from './readiness/glyphs.ts'
import { createPending } from './readiness/pending.ts'
import type { Realm } from './realm/natives.ts'
import { createErrors } from './realm/page-errors.ts'
import { createRealms } from './realm/realms.ts'
import { createUnseenDrawing } from './realm/unseen-drawing.ts'
import { createValidationMessages } from './realm/validation-messages.ts'
import { createWebglUse } from './realm/webgl-use.ts'
import { createRuleWatches } from './styles/rule-watch.ts'
import { createWorkers } from './workers/workers.ts'

/** The state of the runtime for one page, including its frames. */
export type Page = ReturnType<typeof createPage>

/** Builds the runtime of a top window, before any script of the page; `accessor` is the page's `__vid`. */
export const createPage = (
  realm: Realm,
  config: PageConfig,
  accessor: () => object,
  openTrees?: (count: string) => void,
) => {
  const clock: Clock = { nowMs: 0, started: false, hasMoved: false }
  const realms = createRealms()
  const errors = createErrors()
  const timers = createTimers(clock, errors, () => pending.settleWork())
  const frames = createFrames(clock, errors, config)
  const workers = createWorkers(clock, errors)
  const observers = [createResizeObservers(errors), createIntersectionObservers(clock, errors)]
  const messages = createMessages(timers, () => realms.size === 1)
  const pending = createPending(errors.rejected, clock)
  const listeners = createListeners()
  const random = createPageRandom(errors.addOnce)
  const embedded = (): readonly Instance[] => instances.list()
  const timelines = createTimelines(realm, errors, embedded)
  const adapters = createAdapters({ realm, clock, errors, timers, timelines, handovers: embedded })
  const volumes = createVolumes()
  const shadows = createShadows()
  const layout = createLayout(realm, config, shadows)
  const documentScope = createDocumentScope(realm)
  const find = (selector: string) => shadows.elementsOf(realm, selector)
  const { windows, startOf, refresh } = watchDocument({
    realm,
    shadows,
    clock,
    layout,
    bindVariables: createBinder(config.variables, find),
    lengthOf: timelines.lengthOf,
    inWholeDocument: (call) => documentScope.within(undefined, call),
  })
  const instances = createInstances({ realm, documentScope, accessor, adapters: () => adapters, windows })
  const media = createMedia({ realm, clock, volumes, find, windows, onFacts: refresh })
  const videoFrames = createVideoFrames(realm, {
    scale: config.scale ?? 1,
    // Only captured pictures retain the content of a canvas.
    canvases: config.raster && createPictureCanvases(() => createDrawing(realm.document), UNCOLLECTED_BYTES),
  })
  const hiddenTrees = createHiddenTrees({ realms, openTrees, treesOf: shadows.treesOf })
  const animations = createAnimations(clock, startOf, (animation) => [
    ...shadows.treesOf(animation),
    ...hiddenTrees.treesOf(animation),
  ])
  const smil = createSmil(clock, startOf, shadows.treesOf)
  const animatedImages = createAnimatedImages(clock, startOf, shadows.treesOf)
  const freezeStyles = createFreezeStyles()
  const webgl = createWebglUse()
  const canvasTexts = createCanvasTexts()
  const unseenDrawing = createUnseenDrawing(realms)
  const realClocks = createRealClocks()
  const ruleWatches = createRuleWatches()
  const lateLoads = createLateLoads(shadows, ruleWatches, pending.track)

  const installed: readonly Installable[] = [
    errors,
    animations,
    { install: (realm) => installClock(realm, clock) },
    { install: (realm) => installPixelRatio(realm, config.scale ?? 1) },
    random,
    timers,
    { install: (realm) => installOwnClocks(realm, clock) },
    realClocks,
    { install: (realm) => installLiveSound(realm, errors) },
    workers,
    messages,
    ...observers,
    { install: (realm) => watchScrolling(realm, errors.addOnce) },
    { install: (realm) => installViewTransitions(realm, errors) },
    frames,
    pending,
    listeners,
    volumes,
    { install: (realm) => installMediaElements(realm, { media, clock, shadows }) },
    smil,
    animatedImages,
    webgl,
    { install: (realm) => installMediaPictures(realm, { videoFrames, animatedImages }) },
    canvasTexts,
    unseenDrawing,
    createValidationMessages(shadows.onTree),
    ruleWatches,
    lateLoads,
    { install: keepSheets },
    { install: (realm) => watchHyperframes(realm, errors, pending) },
  ]
  const adopt = createAdopt({ clock, realms, installed, freezeStyles, shadows })
  adopt(realm)

  return {
    config,
    realm,
    realms,
    clock,
    errors,
    timers,
    messages,
    workers,
    frames,
    pending,
    random,
    listeners,
    timelines,
    adapters,
    animations,
    layout,
    instances,
    media,
    videoFrames,
    smil,
    animatedImages,
    lateLoads,
    ruleWatches,
    observers,
    windows,
    adopt,
    freezeStyles,
    hiddenTrees,
    indeterminate: createIndeterminate(clock, realms, hiddenTrees, startOf),
    webgl,
    unseenDrawing,
    realClocks,
    clips: createClips(realm, shadows),
    gradings: createGradings(realm, createVariableLookup(config.variables)),
    glyphs: createGlyphCheck(realms, shadows.treesOf, canvasTexts),
    treesOf: shadows.treesOf,
    onTree: shadows.onTree,
    find,
  }
}
