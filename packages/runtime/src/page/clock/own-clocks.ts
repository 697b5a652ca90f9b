import { natives, type Realm } from '../natives.ts'
import { replaceAccessor, replaceMethod } from '../replace.ts'
import type { Clock } from './clock.ts'
import { EPOCH_MS } from './dates.ts'

interface SchedulerLike {
  postTask(task: () => unknown, options?: { delay?: number; signal?: AbortSignal }): Promise<unknown>
}

const installSound = ({ AudioContext, BaseAudioContext }: Realm, clock: Clock): void => {
  const native = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, 'currentTime')?.get
  replaceAccessor(BaseAudioContext.prototype, 'currentTime', {
    get(this: BaseAudioContext) {
      // What is rendered offline keeps its own time: it is a matter of samples, not of the machine.
      return this instanceof AudioContext ? clock.nowMs / 1000 : (native?.call(this) as unknown)
    },
  })
  replaceMethod(AudioContext.prototype, 'getOutputTimestamp', () => ({
    contextTime: clock.nowMs / 1000,
    performanceTime: clock.nowMs,
  }))
}

const installMarks = (realm: Realm, clock: Clock): void => {
  const proto = realm.Performance.prototype
  const { mark, measure } = proto
  replaceMethod(proto, 'mark', function (this: Performance, name, options) {
    return mark.call(this, name, { ...options, startTime: options?.startTime ?? clock.nowMs })
  })
  replaceMethod(proto, 'measure', function (this: Performance, name, given, end) {
    const options: PerformanceMeasureOptions =
      typeof given === 'object'
        ? given
        : { ...(given !== undefined && { start: given }), ...(end !== undefined && { end }) }
    const isOpen = options.end === undefined && options.duration === undefined
    return measure.call(this, name, isOpen ? { ...options, end: clock.nowMs } : options)
  })
}

/** Makes every number that an object tells of a load the same. */
const fix = (proto: object, value: number): void => {
  for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
    if (get && /(?:Start|End|Time|Interactive|Complete|Loading)$/.test(key))
      replaceAccessor(proto, key as never, { get: () => value })
}

/** How long loading took is the machine's matter. */
const installLoads = (realm: Realm): void => {
  fix(realm.PerformanceTiming.prototype, EPOCH_MS)
  fix(realm.PerformanceResourceTiming.prototype, 0)
  fix(realm.PerformanceNavigationTiming.prototype, 0)
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
  // Every task becomes a timer: the browser's own queue is emptied in real time, before or after a frame.
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

/** Puts what keeps a time of its own beside the window's on the clock: sound contexts, marks, and delays that are no timers. */
export const installOwnClocks = (realm: Realm, clock: Clock): void => {
  installSound(realm, clock)
  installMarks(realm, clock)
  installLoads(realm)
  installDelays(realm)
}
