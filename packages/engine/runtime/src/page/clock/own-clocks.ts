import { natives, type Realm } from '../realm/natives.ts'
import { replaceAccessor, replaceMethod } from '../realm/replace.ts'
import { type Clock, shownMs } from './clock.ts'
import { EPOCH_MS } from './origin.ts'

interface SchedulerLike {
  postTask(task: () => unknown, options?: { delay?: number; signal?: AbortSignal }): Promise<unknown>
}

const installSound = ({ AudioContext, BaseAudioContext }: Realm, clock: Clock): void => {
  const native = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime')?.get
  replaceAccessor(BaseAudioContext.prototype, 'currentTime', {
    get(this: BaseAudioContext) {
      // An offline context keeps its own time, which depends on samples and not on the machine.
      return this instanceof AudioContext ? shownMs(clock) / 1000 : (native?.call(this) as unknown)
    },
  })
  replaceMethod(AudioContext.prototype, 'getOutputTimestamp', () => ({
    contextTime: shownMs(clock) / 1000,
    performanceTime: shownMs(clock),
  }))
}

const installMarks = (realm: Realm, clock: Clock): void => {
  const proto = realm.Performance.prototype
  const { mark, measure } = proto
  replaceMethod(proto, 'mark', function (this: Performance, name, options) {
    return mark.call(this, name, { ...options, startTime: options?.startTime ?? shownMs(clock) })
  })
  replaceMethod(proto, 'measure', function (this: Performance, name, start, end) {
    const options: PerformanceMeasureOptions =
      typeof start === 'object' ? start : { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
    const isOpen = options.end === undefined && options.duration === undefined
    return measure.call(this, name, isOpen ? { ...options, end: shownMs(clock) } : options)
  })
}

/** Gives all timing properties of an object the same value. */
const setTimings = (proto: object, value: number): void => {
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
    if (get && /(?:Start|End|Time|Interactive|Complete|Loading)$/.test(key))
      replaceAccessor(proto, key as never, { get: () => value })
}

/** Hides the duration of loading, which depends on the machine. */
const installLoads = (realm: Realm): void => {
  setTimings(realm.PerformanceTiming.prototype, EPOCH_MS)
  setTimings(realm.PerformanceResourceTiming.prototype, 0)
  setTimings(realm.PerformanceNavigationTiming.prototype, 0)
  for (const key of ['startTime', 'duration'] as const) {
    const native = Object.getOwnPropertyDescriptor(realm.PerformanceEntry.prototype, key)?.get
    replaceAccessor(realm.PerformanceEntry.prototype, key, {
      get(this: PerformanceEntry) {
        const isOfPage = this instanceof realm.PerformanceMark || this instanceof realm.PerformanceMeasure
        return isOfPage ? (native?.call(this) as unknown) : 0
      },
    })
  }
  replaceAccessor(realm.Document.prototype, 'lastModified', { get: () => '01/01/2025 00:00:00' })
}

const installDelays = (realm: Realm): void => {
  const later = realm.setTimeout
  replaceMethod(realm.AbortSignal, 'timeout', (milliseconds) => {
    const controller = new realm.AbortController()
    const reason = new realm.DOMException('signal timed out', 'TimeoutError')
    later.call(realm, () => controller.abort(reason), milliseconds)
    return controller.signal
  })
  const { scheduler } = realm as unknown as { scheduler?: SchedulerLike }
  if (!scheduler) return
  const proto = Object.getPrototypeOf(scheduler) as SchedulerLike
  // Every task becomes a timer: the browser's own queue runs in real time, before or after a frame.
  replaceMethod(
    proto,
    'postTask',
    (task, { delay = 0, signal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const run = () => {
          try {
            resolve(task())
          } catch (error) {
            reject(error)
          }
        }
        const id = later.call(realm, run, delay)
        const abort = () => {
          realm.clearTimeout(id)
          reject(signal?.reason)
        }
        if (signal) natives.listen.call(signal, 'abort', abort, { once: true })
      }),
  )
}

/** Puts other sources of time on the clock: audio contexts, performance entries, and delays that are not timers. */
export const installOwnClocks = (realm: Realm, clock: Clock): void => {
  installSound(realm, clock)
  installMarks(realm, clock)
  installLoads(realm)
  installDelays(realm)
}
