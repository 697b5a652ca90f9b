import type { Clock } from '../clock/clock.ts'
import {
  MAX_CALLBACKS,
  type TrackWork,
  watchAsyncWork,
  watchCallbacks,
  withoutEndlessWork,
} from '../realm/async-work.ts'
import { natives, nextTask, type Realm } from '../realm/natives.ts'
import { replaceMethod } from '../realm/replace.ts'

/** What the page is waiting for: promises that it registered, and its requests. */
export interface Pending {
  readonly parts: ReadonlyMap<Promise<unknown>, string>
  /** True while a promise registered by the page is pending; it may need timers to settle. */
  readonly named: boolean
  track(promise: Promise<unknown>, detail: string, named?: boolean): void
  /** Resolves when requests and other work of the browser have ended, also what their results ask for. */
  settleWork(): Promise<void>
  install(realm: Realm): void
}

const addressOf = (input: unknown): string =>
  input instanceof Object && 'url' in input ? String(input.url) : String(input)

/** Tracks each XMLHttpRequest until it ends, even without an event: when `send` throws, or `open` is called again. */
const trackRequests = (realm: Realm, track: Pending['track']): void => {
  const xhr = realm.XMLHttpRequest.prototype
  const { open, send } = xhr
  const ends = new WeakMap<XMLHttpRequest, () => void>()
  replaceMethod(xhr, 'send', function (this: XMLHttpRequest, data) {
    let end = () => {}
    track(new Promise<void>((resolve) => (end = resolve)), 'XMLHttpRequest')
    natives.listen.call(this, 'loadend', end, { once: true })
    try {
      send.call(this, data)
      ends.set(this, end)
    } catch (thrown) {
      end()
      throw thrown
    }
  })
  replaceMethod(xhr, 'open', function (this: XMLHttpRequest, ...words: unknown[]) {
    ;(open as (...words: unknown[]) => void).apply(this, words)
    ends.get(this)?.()
  } as typeof open)
}

const trackCompiling = (realm: Realm, track: Pending['track']): void => {
  const wasm = realm.WebAssembly
  for (const compile of ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming'] as const) {
    const native = wasm[compile] as (...args: unknown[]) => Promise<never>
    replaceMethod(wasm, compile, ((...args: unknown[]) => {
      const answer = native.apply(wasm, args)
      track(answer, `WebAssembly.${compile}`)
      return answer
    }) as never)
  }
}

/** Has an image decoded once it has loaded. */
const replaceDecode = (realm: Realm): void => {
  replaceMethod(realm.HTMLImageElement.prototype, 'decode', function (this: HTMLImageElement) {
    const failed = () => new realm.DOMException('The source image cannot be decoded.', 'EncodingError')
    if (this.complete) return this.naturalWidth ? Promise.resolve() : Promise.reject(failed())
    return new Promise<void>((resolve, reject) => {
      natives.listen.call(this, 'load', () => resolve(), { once: true })
      natives.listen.call(this, 'error', () => reject(failed()), { once: true })
    })
  })
}

/** Creates an empty list; `onRejected` receives the reason of a rejected promise that the page registered. */
export const createPending = (onRejected: (reason: unknown) => void, clock: Clock): Pending => {
  const parts = new Map<Promise<unknown>, string>()
  const named = new Set<Promise<unknown>>()

  const track = (promise: Promise<unknown>, detail: string, isNamed = false) => {
    const settled = Promise.resolve(promise).then(
      () => undefined,
      (reason: unknown) => {
        if (isNamed) onRejected(reason)
      },
    )
    parts.set(settled, detail)
    if (isNamed) named.add(settled)
    void settled.then(() => {
      parts.delete(settled)
      named.delete(settled)
    })
  }

  return {
    parts,
    get named() {
      return named.size > 0
    },
    track,
    async settleWork() {
      for (;;) {
        const work = [...parts.keys()].filter((part) => !named.has(part))
        if (work.length === 0) return
        await Promise.all(work)
        await nextTask()
      }
    },
    install(realm) {
      const { fetch } = realm
      replaceMethod(realm, 'fetch', (...args) => {
        const response = fetch.apply(realm, args)
        track(response, `fetch ${addressOf(args[0])}`)
        return response
      })
      const trackOther = withoutEndlessWork(clock, (work, name) => track(work, name))
      const trackWork: TrackWork = (work, name, owner) => {
        if (owner instanceof realm.Response) track(work, `read ${owner.url}`)
        else trackOther(work, name, owner)
      }
      watchAsyncWork(realm, trackWork)
      watchCallbacks(
        realm,
        withoutEndlessWork(clock, (work, name) => track(work, name), MAX_CALLBACKS),
      )
      trackCompiling(realm, track)
      trackRequests(realm, track)
      replaceDecode(realm)
    },
  }
}
