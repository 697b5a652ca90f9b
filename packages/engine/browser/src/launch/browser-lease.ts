import { setMaxListeners } from 'node:events'
import type { SharedPool } from '@vid/kernel'
import { captureFailure } from '../capture-errors.ts'
import type { DrivenPage } from '../driver/cdp.ts'
import { orAborted, withDeadline } from '../driver/deadline.ts'
import { isPortable, type PortablePage } from '../driver/portable-driver.ts'
import { abortedBy, type Browser, type BrowserOptions, openBrowser } from './browser.ts'

/** Time for a session's pages to close before their browser is discarded, in milliseconds. */
const CLOSING_MS = 2_000

/** Sessions after which a browser is discarded, since each one leaks some memory. */
const MAX_SESSIONS = 50

const served = new WeakMap<Browser, number>()

/** A browser that is leased to one session; it may have served others before. */
export interface LeasedBrowser extends Browser {
  /** Discards the browser after this session, since something went wrong in it. */
  retire(): void
}

const keyOf = ({
  driver,
  executable,
  frameControl,
  sandboxMode = 'auto',
  width,
  height,
  scale = 1,
  gpu,
  raster = 'portable',
}: Omit<BrowserOptions, 'signal'>) => {
  const how = [scale, raster, ...(isPortable(driver) ? ['portable'] : []), ...(gpu ? [gpu] : [])]
  const { path, version } = executable
  return JSON.stringify(['browser', path, version, frameControl, sandboxMode, width, height, ...how])
}

/** Keys of each pool that a session holds alone. */
const keysInUse = new WeakMap<SharedPool, Set<string>>()

/**
 * A key that no other session holds until `free`, where frames are drawn on command: of two pages that are drawn so at
 * once in one browser, one gets no picture.
 */
const keyAlone = (pool: SharedPool, options: BrowserOptions) => {
  const shared = keyOf(options)
  if (!options.frameControl) return { key: shared, free: () => {} }
  const keys = keysInUse.get(pool) ?? new Set()
  keysInUse.set(pool, keys)
  let key = shared
  for (let number = 2; keys.has(key); number += 1) key = `${shared} ${number}`
  keys.add(key)
  return { key, free: () => void keys.delete(key) }
}

const acquire = async (pool: SharedPool, key: string, options: BrowserOptions) => {
  for (;;) {
    const pending = pool.acquire(key, (signal) => openBrowser({ ...options, signal }))
    const lease = await orAborted(pending, options.signal).catch((thrown: unknown) => {
      pending.then(({ release }) => release()).catch(() => {})
      throw options.signal.aborted ? abortedBy(options.signal) : thrown
    })
    if (!lease.value.failure.aborted) return lease
    // It ended while it was idle.
    await lease.discard()
  }
}

/** Starts the browser that the next session with these options will lease, unless one is idle. */
export const prepareBrowser = (pool: SharedPool, options: Omit<BrowserOptions, 'signal'>): void => {
  pool.prepare(keyOf(options), (signal) => openBrowser({ ...options, signal }))
}

/** Leases a browser of the right size and kind. Closing it closes its pages, and releases or discards the browser. */
export const leaseBrowser = async (pool: SharedPool, options: BrowserOptions): Promise<LeasedBrowser> => {
  const { signal } = options
  if (signal.aborted) throw abortedBy(signal)
  const { key, free } = keyAlone(pool, options)
  const lease = await acquire(pool, key, options).catch((thrown: unknown) => {
    free()
    throw thrown
  })
  const { value: browser, release, discard } = lease
  const pages = new Set<DrivenPage | PortablePage>()
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  const onFailure = () => end.abort(browser.failure.reason)
  const onStop = () => end.abort(abortedBy(signal))
  browser.failure.addEventListener('abort', onFailure, { once: true })
  signal.addEventListener('abort', onStop, { once: true })
  if (signal.aborted) onStop()
  let retired = false

  // A page that cannot be closed has crashed or hangs, so its browser is not reused.
  const closePage = async (page: DrivenPage | PortablePage) => {
    if (pages.delete(page))
      await page.close().catch(() => {
        retired = true
      })
  }
  const closePages = async () => {
    const closing = Promise.all([...pages].map(closePage))
    const late = async () => captureFailure('VID_CAPTURE_ABORTED', { reason: 'its pages did not close' })
    await withDeadline(closing, CLOSING_MS, late)
  }
  const close = async () => {
    retired ||= browser.failure.aborted
    browser.failure.removeEventListener('abort', onFailure)
    signal.removeEventListener('abort', onStop)
    end.abort(captureFailure('VID_CAPTURE_ABORTED', { reason: 'the session was closed' }))
    if (!retired)
      await closePages().catch(() => {
        retired = true
      })
    const sessions = (served.get(browser) ?? 0) + 1
    served.set(browser, sessions)
    // Before it is released: the next session that takes this key gets it then.
    free()
    if (retired || sessions >= MAX_SESSIONS) await discard()
    else release()
  }
  let closing: Promise<void> | undefined
  return {
    pid: browser.pid,
    ...(browser.port && { port: browser.port }),
    profile: browser.profile,
    egress: browser.egress,
    shortage: browser.shortage,
    sandboxMissing: browser.sandboxMissing,
    failure: end.signal,
    retire: () => {
      retired = true
    },
    async newPage() {
      const page = await orAborted(browser.newPage(), end.signal)
      pages.add(page)
      return { ...page, close: () => closePage(page) }
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
