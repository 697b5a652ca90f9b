import { computed, signal } from '@preact/signals'
import type { Size } from '@vid/protocol'
import { nextZoom, scaleOf, type Zoom } from '../model/stage-view.ts'
import { reportedComposition } from './playback.ts'
import { current } from './project.ts'

/** The panel beside the picture. */
export type Panel = 'element' | 'changes' | 'comments' | 'variables' | 'problems' | 'render' | 'compositions'

export const panel = signal<Panel>('variables')

/** What is behind a transparent picture: white as in a video without alpha, or a checkerboard. */
export const hasCheckerboard = signal(false)

export const hasSafeAreas = signal(false)

export const hasThirds = signal(false)

export const zoom = signal<Zoom>('fit')

/** CSS pixels from the middle of the stage. */
export const pan = signal({ x: 0, y: 0 })

/** CSS pixels of the stage. */
export const stageSize = signal<Size>({ width: 800, height: 450 })

export const showsKeys = signal(false)

/** Pixels of the composition. */
export const compositionSize = computed<Size>(() => ({
  width: reportedComposition.value?.width ?? current.value?.width ?? 1920,
  height: reportedComposition.value?.height ?? current.value?.height ?? 1080,
}))

/** CSS pixels for each pixel of the composition. */
export const scale = computed(() => scaleOf(zoom.value, compositionSize.value, stageSize.value))

/** Shows the whole picture. */
export const fit = (): void => {
  zoom.value = 'fit'
  pan.value = { x: 0, y: 0 }
}

/** Shows each pixel of the composition as one pixel of the screen. */
export const actualSize = (): void => {
  zoom.value = 1 / devicePixelRatio
}

/** Shows the picture one step larger (1) or smaller (-1). */
export const zoomStep = (direction: 1 | -1): void => {
  zoom.value = nextZoom(scale.value * devicePixelRatio, direction) / devicePixelRatio
}
