import { computed, signal } from '@preact/signals'
import type { PlayerError, VidPlayer } from '@vid/player'
import type { FrameRate } from '@vid/protocol'
import type { PageError, PlayerComposition } from '@vid/runtime'

/** Frames from `start` to before `end`. */
export interface InOut {
  readonly start: number | null
  readonly end: number | null
}

/** The element that plays; null until it is in the page. */
export const player = signal<VidPlayer | null>(null)

/** What the page of the composition has reported; null until it is ready. */
export const reportedComposition = signal<PlayerComposition | null>(null)

/** The frame that is shown. */
export const frame = signal(0)

/** Whether the picture is the one that a render makes. */
export const isExact = signal(false)

/** Number of frames; 0 until the composition is ready. */
export const frames = signal(0)

export const isPlaying = signal(false)

/** Whether a document is being loaded. */
export const isLoading = signal(true)

/** Frames of a replay that have been shown, and how many it takes; null while none goes on. */
export const replay = signal<{ readonly done: number; readonly total: number } | null>(null)

/** Why what is shown is not what the files say. */
export const playerError = signal<PlayerError | null>(null)

/** Errors of the scripts of the composition since it was loaded. */
export const pageErrors = signal<readonly PageError[]>([])

/** Speed; below 0 it goes backwards. */
export const speed = signal(1)

export const isLooping = signal(false)

/** 0 … 1. */
export const volume = signal(1)

export const isMuted = signal(false)

/** The range that is played and rendered; null ends are those of the composition. */
export const inOut = signal<InOut>({ start: null, end: null })

/** Frames in a second, exactly. */
export const rate = computed<FrameRate>(() => {
  const { fps = 30, fpsDivisor = 1 } = reportedComposition.value ?? {}
  return fpsDivisor === 1 ? fps : `${fps}/${fpsDivisor}`
})

/** The range with both ends. */
export const range = computed(() => {
  const count = Math.max(1, frames.value)
  const start = Math.min(inOut.value.start ?? 0, count - 1)
  return { start, end: Math.max(start + 1, Math.min(inOut.value.end ?? count, count)) }
})
