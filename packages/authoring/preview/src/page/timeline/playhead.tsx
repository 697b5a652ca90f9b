import { secondsOf } from '@vid/protocol'
import { frame, rate } from '../state/playback.ts'
import { timeScale } from '../state/timeline.ts'
import { LABEL_WIDTH } from './sizes.ts'

/** The line at the shown frame. */
export const Playhead = () => {
  const place = LABEL_WIDTH + secondsOf(frame.value, rate.value) * timeScale.value.perSecond
  return <div class="playhead" style={{ transform: `translateX(${place}px)` }} />
}
