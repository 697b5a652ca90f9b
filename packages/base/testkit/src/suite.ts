import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PluginOf, Role } from '@vid/kernel'
import { type ServedClock, startServedClock } from '@vid/system'
import { expect, test, vi } from 'vitest'

/** A plugin's factory, as its package exports it. */
export type MakePlugin<R extends Role> = (options: never) => PluginOf<R>

/** Options of every suite. */
export interface SuiteOptions {
  /** Options of the plugin in every test; default none. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** The most that a test may take, in milliseconds: browsers and encoders take ten times as long on a busy machine. */
const TEST_MS = 300_000

/** Lets the tests of a suite take the time that they need; `stopsInTime` finds what hangs. */
export const allowTime = (): void => {
  vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS })
}

/** Creates the plugin of a suite; a test may add options. */
export const maker = <R extends Role>(make: MakePlugin<R>, { options }: SuiteOptions) => {
  allowTime()
  return (more: Readonly<Record<string, unknown>> = {}): PluginOf<R> => make({ ...options, ...more } as never)
}

/** How long a plugin that stops may do nothing, in milliseconds: neither it nor a process below it runs or waits for a processor. */
const IDLE_MS = 5_000

/** The most that it may take while it does something, in milliseconds without the time in which others had the processors. */
const SERVED_MS = 60_000

/** Settles with the work; rejects when the plugin does not stop in time. */
export const stopsInTime = async <T>(work: Promise<T>): Promise<T> => {
  let clock: ServedClock | undefined
  const late = new Promise<never>((_, reject) => {
    clock = startServedClock(() => {
      const { idleMs = 0, servedMs = 0 } = clock?.now() ?? {}
      if (idleMs >= IDLE_MS) reject(new Error(`it did not stop within ${IDLE_MS} ms`))
      else if (servedMs >= SERVED_MS)
        reject(new Error(`it did not stop within ${SERVED_MS} ms, though it was not idle`))
    })
  })
  return Promise.race([work, late]).finally(() => clock?.stop())
}

/** Time between two looks, in milliseconds. */
const LOOK_MS = 20

/** Waits until a condition is met, as long as a plugin may take to stop; an error says what still holds. */
export const becomesTrue = async (isMet: () => boolean, otherwise: () => string): Promise<void> => {
  const limit = new AbortController()
  const waiting = (async () => {
    while (!isMet() && !limit.signal.aborted) await sleep(LOOK_MS)
  })()
  await stopsInTime(waiting)
    .catch(() => {
      throw new Error(otherwise())
    })
    .finally(() => limit.abort())
}

/** Waits until this process has no more than `count` child processes. */
export const expectChildren = (count: number) =>
  becomesTrue(
    () => children() <= count,
    () => `${children() - count} child processes still run`,
  )

/** Number of child processes of this process. */
export const children = () => process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length

/** Relative paths of all files under a folder. */
export const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

/** All bytes of a file, or of a folder's files sorted by name. */
export const bytesAt = async (path: string): Promise<Buffer> => {
  const files = await filesUnder(path).catch(() => undefined)
  return files ? Buffer.concat(await Promise.all(files.map((file) => readFile(join(path, file))))) : readFile(path)
}

/** The rule for the options of every role. */
export const testOptions = (make: (more?: Readonly<Record<string, unknown>>) => unknown) =>
  test('rejects an unknown option', () => {
    const code = (() => {
      try {
        make({ 'no-such-option': 1 })
        return 'accepted'
      } catch (thrown) {
        return (thrown as { code?: string }).code
      }
    })()
    expect(code).toBe('VID_PLUGIN_OPTIONS')
  })
