import type { VidPlayer } from '../vid-player.ts'

/** What keys do besides moving through the frames. */
export interface KeyActions {
  toggle(): void
  captions(): void
  full(): void
  readonly signal: AbortSignal
}

/** The frame that a key leads to; undefined for another key. */
const frameFor = ({ key, shiftKey }: KeyboardEvent, { frame, frames, fps }: VidPlayer): number | undefined => {
  const step = shiftKey ? Math.round(fps) : 1
  if (key === 'ArrowLeft') return frame - step
  if (key === 'ArrowRight') return frame + step
  if (key === 'Home') return 0
  return key === 'End' ? frames - 1 : undefined
}

const MOVES_SLIDER = /^(?:Arrow|Home$|End$|Page)/

/** Whether an element inside the player uses a key itself. */
const usesKey = (target: EventTarget | undefined, key: string): boolean =>
  target instanceof HTMLButtonElement
    ? key === ' ' || key === 'Enter'
    : target instanceof HTMLInputElement && target.className === 'loudness' && MOVES_SLIDER.test(key)

/** Lets keys control a player that has the focus: space or K, arrows with shift for a second, home, end, C, M and F. */
export const addKeyControls = (player: VidPlayer, { toggle, captions, full, signal }: KeyActions): void => {
  player.addEventListener(
    'keydown',
    (event) => {
      const { key, altKey, ctrlKey, metaKey } = event
      if (altKey || ctrlKey || metaKey || usesKey(event.composedPath()[0], key)) return
      const frame = frameFor(event, player)
      if (frame !== undefined) player.seekFrame(frame).catch(() => undefined)
      else if (key === ' ' || key === 'k' || key === 'K') toggle()
      else if (key === 'c' || key === 'C') captions()
      else if (key === 'm' || key === 'M') player.muted = !player.muted
      else if (key === 'f' || key === 'F') full()
      else return
      event.preventDefault()
    },
    { signal },
  )
}
