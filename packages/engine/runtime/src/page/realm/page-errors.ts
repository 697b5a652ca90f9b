import type { PageError } from '../../contract/readiness.ts'
import { natives, type Realm } from './natives.ts'

/** Collects errors of page scripts, which never stop the runtime. */
export interface PageErrors {
  readonly list: PageError[]
  install(realm: Realm): void
  /** Adds a problem that the runtime itself found in the page. */
  add(error: PageError): void
  /** Adds, once, a difference from a browser window, with what to do instead. */
  addOnce(message: string): void
  /** Adds the reason of a rejected promise. */
  rejected(reason: unknown): void
  /** Calls page code; an exception reaches the window's `error` event, as from any callback. */
  guard<T>(realm: Realm, call: () => T): T | undefined
}

const fromStack = (reason: unknown): PageError => {
  const message = reason instanceof Object && 'message' in reason ? String(reason.message) : String(reason)
  const stack = reason instanceof Object && 'stack' in reason ? String(reason.stack) : ''
  const place = /(?:\(|at |@)([^\s()]+):(\d+):\d+/.exec(stack)
  return place?.[1] ? { message, source: place[1], line: Number(place[2]) } : { message }
}

const failedResource = (event: Event): PageError | undefined => {
  const target = event.target
  if (!(target instanceof Object) || !('tagName' in target)) return undefined
  const source = target.tagName === 'SCRIPT' ? (target as HTMLScriptElement).src : (target as HTMLLinkElement).href
  const isReported = target.tagName === 'SCRIPT' || target.tagName === 'LINK'
  // An empty address is no request.
  const isEmpty = ['src', 'href'].some((name) => (target as Element).getAttribute(name)?.trim() === '')
  return isReported && source && !isEmpty
    ? {
        message: `could not load ${source}`,
        source,
        isLoad: true,
        ...(target.tagName === 'LINK' && { isStyle: true }),
      }
    : undefined
}

/** A page that throws in each frame would fill the memory. */
const MAX_ERRORS = 100

/** Creates an empty collection. */
export const createErrors = (): PageErrors => {
  const list: PageError[] = []
  const addedOnce = new Set<string>()
  const add = (error: PageError | undefined) => {
    if (error && list.length < MAX_ERRORS) list.push(error)
  }
  return {
    list,
    add,
    addOnce(message) {
      if (!addedOnce.has(message)) add({ message, isNote: true })
      addedOnce.add(message)
    },
    rejected: (reason) => add(fromStack(reason)),
    install(realm) {
      const onError = (event: Event) => {
        if (!('message' in event)) return add(failedResource(event))
        const { message, filename, lineno, error } = event as ErrorEvent
        // A ResizeObserver loop is not thrown by a script; errors of scripts from another origin are hidden.
        const isThrown = (error ?? null) !== null
        add({
          message,
          ...(filename && { source: filename }),
          ...(lineno && { line: lineno }),
          ...(isThrown && { isThrown }),
        })
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
