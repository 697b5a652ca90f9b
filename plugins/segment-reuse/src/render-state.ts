import { createRemoteAccess } from '@vid/assets'
import type { EditReach } from '@vid/core'
import { type Blobs, describeCause, isVidError, readHere, type SegmentTask, type Warning } from '@vid/kernel'
import { digestOf } from '@vid/system'
import { createInputCheck, type InputCheck } from './input-check.ts'
import { editReachTask, plannedTextTask } from './read-tasks.ts'
import { reuseWarning } from './warnings.ts'

/** A segment task of a render with a store. */
export interface StoredTask extends SegmentTask {
  openStore(): Promise<Blobs>
}

/** State shared by the segments of one render. */
export interface RenderState {
  /** Reads from the store; returns `otherwise` once the store has failed, which is reported once. */
  look<T>(task: StoredTask, work: (blobs: Blobs) => Promise<T>, otherwise: T): Promise<T>
  /** Writes to the store; after a failure, which is reported once, nothing more is written. */
  keep(task: StoredTask, work: (blobs: Blobs) => Promise<void>): Promise<void>
  /** The composition's text of the plan; undefined if its files have changed since. */
  composition(task: StoredTask): Promise<string | undefined>
  /** The input check for pages of this text. */
  inputCheck(task: StoredTask, html: string): InputCheck
  /** The windows of time in which an edit is visible. */
  reach(task: StoredTask, before: string, after: string): Promise<EditReach>
  /** Digests of texts that this render has stored. */
  readonly keptTexts: Set<string>
}

const failureOf = (thrown: unknown): Warning => {
  // The store plugin's own error, without the kernel's text about the plugin.
  const reason = isVidError(thrown) && thrown.code === 'VID_PLUGIN_FAILED' ? thrown.cause : thrown
  const hint = isVidError(reason) ? reason.hint : 'Check the store.'
  // A third-party hint may lack its capital or its full stop.
  const advice = `${hint.charAt(0).toUpperCase()}${hint.slice(1)}`.replace(/[^.!?]$/, '$&.')
  return reuseWarning('VID_CACHE_UNUSABLE', { reason: describeCause(reason), advice })
}

/** Memoizes expensive asynchronous work by key, sharing it while it runs. */
const createMemory = <T>() => {
  const values = new Map<string, T>()
  return {
    get(key: string, make: () => T): T {
      const value = values.has(key) ? (values.get(key) as T) : make()
      values.set(key, value)
      return value
    },
    forget: (key: string) => values.delete(key),
  }
}

/** Shares work by key while it runs and once it is done; what failed is done again. */
const shared = <T>(
  memory: ReturnType<typeof createMemory<Promise<T>>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> =>
  memory.get(key, work).catch((thrown: unknown) => {
    memory.forget(key)
    throw thrown
  })

const readReach = (task: StoredTask, before: string, after: string): Promise<EditReach> => {
  const { segment, signal, reading = readHere } = task
  return reading(editReachTask, { entry: segment.plan.composition.entry, before, after }, signal)
}

/** Creates the state of one render. */
export const createRenderState = (): RenderState => {
  const texts = createMemory<Promise<string | undefined>>()
  const checks = createMemory<InputCheck>()
  const reaches = createMemory<Promise<EditReach>>()
  let canLook = true
  let canKeep = true
  const fail = ({ warn, signal }: StoredTask, thrown: unknown) => {
    signal.throwIfAborted()
    if (canKeep) warn(failureOf(thrown))
    canKeep = false
  }
  return {
    keptTexts: new Set(),
    async look(task, work, otherwise) {
      if (!canLook) return otherwise
      try {
        return await work(await task.openStore())
      } catch (thrown) {
        fail(task, thrown)
        canLook = false
        return otherwise
      }
    },
    async keep(task, work) {
      if (!canKeep) return
      try {
        await work(await task.openStore())
      } catch (thrown) {
        fail(task, thrown)
      }
    },
    async composition({ projectDir, segment: { plan }, signal, reading = readHere }) {
      const { entry, shape, digest } = plan.composition
      const key = [entry, shape, digest].join('\n')
      const read = () => reading(plannedTextTask, { projectDir, entry, shape, digest }, signal)
      return shared(texts, key, read).catch(() => {
        signal.throwIfAborted()
        return undefined
      })
    },
    inputCheck({ projectDir, captureOptions, segment: { plan }, signal, reading }, html) {
      const hosts = captureOptions.privateHosts
      const privateHosts = Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
      const composition = digestOf(html)
      return checks.get(JSON.stringify([composition, privateHosts]), () =>
        createInputCheck({
          projectDir,
          composition,
          privateHosts,
          access: createRemoteAccess({ ...plan, projectDir, signal, reading }),
        }),
      )
    },
    reach: (task, before, after) =>
      shared(reaches, `${digestOf(before)} ${digestOf(after)}`, () => readReach(task, before, after)),
  }
}
