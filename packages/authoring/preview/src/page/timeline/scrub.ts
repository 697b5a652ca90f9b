import { framesIn } from '@vid/protocol'
import { rate } from '../state/playback.ts'
import { timeScale } from '../state/timeline.ts'
import { seek } from '../state/transport.ts'

const seekTo = (element: HTMLElement, { clientX }: PointerEvent) => {
  const seconds = (clientX - element.getBoundingClientRect().left) / timeScale.value.perSecond
  seek(Math.floor(framesIn(seconds, rate.value) + 1e-6))
}

/** Shows the frame under the pointer while it is pressed. */
export const scrub = {
  onPointerDown(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    seekTo(event.currentTarget, event)
  },
  onPointerMove(event: PointerEvent & { readonly currentTarget: HTMLElement }) {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event.currentTarget, event)
  },
}
