import { type Override, platformFunctions, standIn } from './stand-in.ts'

/** Events that tell an instance's listeners its own time. */
export const SEEK_EVENTS = ['vid-seek', 'hf-seek']

/** The `window` of an instance: its own names first, and its own time in seek events. */
export const createScopedWindow = (
  real: Window & typeof globalThis,
  seeks: EventTarget,
  own: Readonly<Record<string, Override>>,
): Window & typeof globalThis => {
  const listening = (method: 'addEventListener' | 'removeEventListener') => ({
    get:
      () =>
      (type: string, ...rest: [EventListener, AddEventListenerOptions?]) =>
        (SEEK_EVENTS.includes(type) ? seeks : real)[method](type, ...rest),
  })
  const itself = { get: () => scoped }
  const outer = (key: 'top' | 'parent') => ({ get: () => (real[key] === real ? scoped : real[key]) })
  const scoped: typeof real = standIn(real, platformFunctions(real), {
    window: itself,
    self: itself,
    globalThis: itself,
    frames: itself,
    top: outer('top'),
    parent: outer('parent'),
    addEventListener: listening('addEventListener'),
    removeEventListener: listening('removeEventListener'),
    ...own,
  })
  return scoped
}
