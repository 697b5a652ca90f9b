import { firstFrameAt } from '@vid/protocol'
import { rate } from './playback.ts'
import { pause, seek } from './transport.ts'

/** Pauses at the first frame of a time. */
export const seekToTime = (seconds: number): void => {
  pause()
  seek(firstFrameAt(seconds, rate.value))
}
