import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PluginOf, Role } from '@vid/kernel'
import { expect, test } from 'vitest'

/** A plugin's factory, as its package exports it. */
export type MakePlugin<R extends Role> = (options: never) => PluginOf<R>

/** Options of every suite. */
export interface SuiteOptions {
  /** Options of the plugin in every test; default none. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** Creates the plugin of a suite; a test may add options. */
export const maker =
  <R extends Role>(make: MakePlugin<R>, { options }: SuiteOptions) =>
  (more: Readonly<Record<string, unknown>> = {}): PluginOf<R> =>
    make({ ...options, ...more } as never)

/** Time limit for a plugin to stop, in milliseconds. */
export const STOP_MS = 5_000

/** Settles with the work; rejects when the plugin does not stop in time. */
export const stopsInTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not stop within ${STOP_MS} ms`)), STOP_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Waits until this process has no more than `count` child processes. */
export const expectChildren = (count: number) =>
  expect.poll(children, { timeout: STOP_MS, message: 'child processes that still run' }).toBeLessThanOrEqual(count)

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
