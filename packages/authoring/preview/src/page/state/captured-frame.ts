import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { FrameBody } from '../../api.ts'
import { API } from '../../api-paths.ts'
import type { StateName } from '../../findings-api.ts'
import { compositionKey } from '../review/idle.ts'
import { frame, isPlaying, rate } from './playback.ts'
import { entry } from './project.ts'
import { failureOf, sendForFile } from './server.ts'
import { edits } from './variables.ts'
import { hasCheckerboard } from './view.ts'

/** A frame as a render captures it. */
export interface CapturedPicture {
  readonly url: string
  readonly frame: number
}

/** The shown frame of one state of the composition, captured while it is wanted. */
export interface CapturedFrame {
  /** Null while the shown frame has not been captured. */
  readonly picture: ReadonlySignal<CapturedPicture | null>
  readonly isCapturing: ReadonlySignal<boolean>
  /** Why the frame could not be captured. */
  readonly error: ReadonlySignal<string>
  /** Captures what is shown whenever it stands still; called once. */
  follow(): void
}

/** Which state of the composition is captured, and when. */
export interface CapturedFrameOptions {
  readonly state: () => StateName
  readonly isWanted: () => boolean
  /** Milliseconds that a frame must stand before it is captured. */
  readonly restMs: number
}

/** Creates the capture of one state; what was captured is kept for the frame. */
export const createCapturedFrame = ({ state, isWanted, restMs }: CapturedFrameOptions): CapturedFrame => {
  const latest = signal<(CapturedPicture & { readonly key: string }) | null>(null)
  const isCapturing = signal(false)
  const error = signal('')
  const body = computed<FrameBody>(() => ({
    entry: entry.value,
    frame: frame.value,
    fps: rate.value,
    variables: edits.value,
    alpha: hasCheckerboard.value,
    state: state(),
  }))
  const key = computed(() => `${compositionKey.value} ${JSON.stringify(body.value)}`)

  const capture = async (stop: AbortSignal) => {
    const requested = body.peek()
    const requestedKey = key.peek()
    isCapturing.value = true
    try {
      const file = await sendForFile(API.frame, requested, stop)
      stop.throwIfAborted()
      latest.value = { url: URL.createObjectURL(file), frame: requested.frame, key: requestedKey }
    } catch (thrown) {
      if (!stop.aborted) error.value = failureOf(thrown).message
    } finally {
      if (!stop.aborted) isCapturing.value = false
    }
  }
  const forget = () => {
    const picture = latest.peek()
    if (picture) URL.revokeObjectURL(picture.url)
    latest.value = null
    error.value = ''
  }
  return {
    picture: computed(() => (latest.value?.key === key.value ? latest.value : null)),
    isCapturing,
    error,
    follow() {
      effect(() => {
        if (latest.peek()?.key !== key.value) forget()
        if (!isWanted() || isPlaying.value || latest.peek()) return undefined
        const stop = new AbortController()
        const timer = setTimeout(() => void capture(stop.signal), restMs)
        return () => {
          clearTimeout(timer)
          stop.abort()
          isCapturing.value = false
        }
      })
    },
  }
}
