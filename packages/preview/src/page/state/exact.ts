import { signal } from '@preact/signals'
import type { FrameBody } from '../../api.ts'
import { API } from '../../api-paths.ts'
import { frame, isPlaying, rate } from './playback.ts'
import { entry, revision } from './project.ts'
import { failureOf, sendForFile } from './server.ts'
import { edits } from './variables.ts'
import { hasCheckerboard } from './view.ts'

/** How the captured frame is laid over the preview. */
export type ExactView = 'over' | 'wipe' | 'difference'

export const isExactShown = signal(false)

export const exactView = signal<ExactView>('over')

/** Part of the width that shows the captured frame, 0 … 1. */
export const wipe = signal(0.5)

/** The captured frame; null while the shown frame has not been captured. */
export const exactPicture = signal<{ readonly url: string; readonly frame: number } | null>(null)

/** Whether the capture is at work. */
export const isCapturing = signal(false)

/** Why the frame could not be captured. */
export const captureError = signal('')

const forget = () => {
  if (exactPicture.value) URL.revokeObjectURL(exactPicture.value.url)
  exactPicture.value = null
  captureError.value = ''
}

/** Milliseconds that a frame must stand before it is captured. */
const REST_MS = 250

const capture = async (body: FrameBody, signal: AbortSignal) => {
  isCapturing.value = true
  try {
    const picture = await sendForFile(API.frame, body, signal)
    signal.throwIfAborted()
    exactPicture.value = { url: URL.createObjectURL(picture), frame: body.frame }
  } catch (thrown) {
    if (!signal.aborted) captureError.value = failureOf(thrown).message
  } finally {
    if (!signal.aborted) isCapturing.value = false
  }
}

/** Captures what is shown whenever it stands still; reads everything that decides the picture. Returns how to stop. */
export const followFrame = (): (() => void) => {
  const body: FrameBody = {
    entry: entry.value,
    frame: frame.value,
    fps: rate.value,
    variables: edits.value,
    alpha: hasCheckerboard.value,
  }
  const isWanted = isExactShown.value && !isPlaying.value && revision.value >= 0
  const stop = new AbortController()
  const timer = isWanted ? setTimeout(() => void capture(body, stop.signal), REST_MS) : undefined
  return () => {
    clearTimeout(timer)
    stop.abort()
    isCapturing.value = false
    forget()
  }
}
