import { type Override, platformFunctions, standIn } from './stand-in.ts'

/** Events with the time of the listener's instance. */
export const SEEK_EVENTS = ['vid-seek', 'hf-seek']

/** The `window` of an instance, with its own globals, and its own time in seek events. */
export const createScopedWindow = (
  real: Window & typeof globalThis,
  seeks: EventTarget,
  globals: Readonly<Record<string, Override>>,
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
    ...globals,
  })
  return scoped
}
