import type { PageError } from '../contract.ts'
import { natives, type Realm } from './natives.ts'

/** Collects what page scripts throw; nothing that they throw stops the runtime. */
export interface PageErrors {
  readonly list: PageError[]
  install(realm: Realm): void
  /** Notes a problem that the runtime itself found in the page. */
  add(error: PageError): void
  /** Notes why a promise was not kept. */
  rejected(reason: unknown): void
  /** Calls page code; what it throws reaches the window's `error` event, as from any callback. */
  guard<T>(realm: Realm, call: () => T): T | undefined
}

const fromStack = (reason: unknown): PageError => {
  const message = reason instanceof Object && 'message' in reason ? String(reason.message) : String(reason)
  const stack = reason instanceof Object && 'stack' in reason ? String(reason.stack) : ''
  const place = /(?:\(|at |@)([^\s()]+):(\d+):\d+/.exec(stack)
  return place?.[1] ? { message, source: place[1], line: Number(place[2]) } : { message }
}

const brokenResource = (event: Event): PageError | undefined => {
  const target = event.target
  if (!(target instanceof Object) || !('tagName' in target)) return undefined
  const source =
    target.tagName === 'SCRIPT' ? (target as HTMLScriptElement).src : (target as HTMLLinkElement).href
  const known = target.tagName === 'SCRIPT' || target.tagName === 'LINK'
  return known && source ? { message: `could not load ${source}`, source } : undefined
}

/** At most this many are kept: a page that throws in each frame would fill the memory. */
const MOST = 100

/** Makes an empty collection. */
export const createErrors = (): PageErrors => {
  const list: PageError[] = []
  const add = (error: PageError | undefined) => {
    if (error && list.length < MOST) list.push(error)
  }
  return {
    list,
    add,
    rejected: (reason) => add(fromStack(reason)),
    install(realm) {
      const onError = (event: Event) => {
        if (!('message' in event)) return add(brokenResource(event))
        const { message, filename, lineno } = event as ErrorEvent
        add({ message, ...(filename && { source: filename }), ...(lineno && { line: lineno }) })
      }
      natives.listen.call(realm, 'error', onError, true)
      natives.listen.call(realm, 'unhandledrejection', (event) =>
        add(fromStack((event as PromiseRejectionEvent).reason)),
      )
    },
    guard(realm, call) {
      try {
        return call()
      } catch (error) {
        realm.reportError(error)
        return undefined
      }
    },
  }
}
