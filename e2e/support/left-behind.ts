/** What a page of players has opened and not closed; `__left()` names it. Runs before any script of the page. */
export const COUNT_LEFT = () => {
  if (window !== top) return
  const urls = new Set<string>()
  const contexts: AudioContext[] = []
  const timers = new Set<number>()
  const listeners = new Map<object, string>()
  const { createObjectURL, revokeObjectURL } = URL
  URL.createObjectURL = (source) => {
    const url = createObjectURL.call(URL, source)
    urls.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => {
    urls.delete(url)
    revokeObjectURL.call(URL, url)
  }
  window.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options)
      contexts.push(this)
    }
  }
  for (const [begin, end] of [
    ['setTimeout', 'clearTimeout'],
    ['requestAnimationFrame', 'cancelAnimationFrame'],
  ] as const) {
    const start = window[begin].bind(window) as (call: (...args: unknown[]) => void, ...rest: unknown[]) => number
    const stop = window[end].bind(window)
    Object.assign(window, {
      [begin](call: (...args: unknown[]) => void, ...rest: unknown[]) {
        const id = start(
          (...args) => {
            timers.delete(id)
            call(...args)
          },
          ...rest,
        )
        timers.add(id)
        return id
      },
      [end](id: number) {
        timers.delete(id)
        stop(id)
      },
    })
  }
  for (const target of [window, document]) {
    const { addEventListener, removeEventListener } = target
    target.addEventListener = (type: string, call: EventListener, options?: AddEventListenerOptions) => {
      listeners.set(call, type)
      options?.signal?.addEventListener('abort', () => listeners.delete(call))
      addEventListener.call(target, type, call, options)
    }
    target.removeEventListener = (type: string, call: EventListener, options?: EventListenerOptions) => {
      listeners.delete(call)
      removeEventListener.call(target, type, call, options)
    }
  }
  Object.assign(window, {
    __left: async () => ({
      frames: window.frames.length,
      urls: urls.size,
      contexts: contexts.filter(({ state }) => state !== 'closed').length,
      timers: timers.size,
      listeners: [...listeners.values()],
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }),
    __opened: () => ({ contexts: contexts.length, listeners: listeners.size }),
  })
}

/** Nothing is left. */
export const NOTHING_LEFT = { frames: 0, urls: 0, contexts: 0, timers: 0, listeners: [], workers: 0 }
