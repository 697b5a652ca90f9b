/** What follows a pointer. */
export interface PointerFollower {
  move(event: PointerEvent): void
  /** It was let go. */
  release(): void
  /** Escape was pressed, or the system has taken the pointer. */
  cancel(): void
}

/** A press on an element. */
export type Press = PointerEvent & { readonly currentTarget: HTMLElement }

let clickGuard = new AbortController()

/** Ends the click that a browser makes of the end of a drag: it would select the clip, or no longer. */
export const guardClick = (element: HTMLElement) => {
  const { signal } = clickGuard
  const end = (click: MouseEvent) => {
    if (click.detail > 0) click.stopImmediatePropagation()
    clickGuard.abort()
  }
  element.addEventListener('click', end, { signal, capture: true })
}

/** Follows a pointer from its press until it is let go or the gesture is ended; returns the signal of the end, and how to end it. */
export const trackPointer = (
  { currentTarget: element, pointerId }: Press,
  { move, release, cancel }: PointerFollower,
): { readonly signal: AbortSignal; end(): void } => {
  clickGuard.abort()
  clickGuard = new AbortController()
  const stop = new AbortController()
  const { signal } = stop
  const end = () => {
    stop.abort()
    if (element.hasPointerCapture(pointerId)) element.releasePointerCapture(pointerId)
  }
  const after = (call: () => void) => () => {
    end()
    call()
  }
  element.setPointerCapture(pointerId)
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointercancel', after(cancel), { signal })
  element.addEventListener('pointerup', after(release), { signal })
  const endByKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return
    // The gesture alone: the selection stays.
    key.preventDefault()
    key.stopPropagation()
    after(cancel)()
  }
  window.addEventListener('keydown', endByKey, { signal, capture: true })
  return { signal, end }
}
