import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSourceCheck } from '@vid/browser'
import { compileComposition, compositionDigest, loadComposition } from '@vid/core'
import { describeCause, type PluginContext, type RenderPlan, type SegmentMaker } from '@vid/kernel'
import { digestText } from './digest.ts'
import { makeFolders } from './folder.ts'

/** Settings of the plugin. */
export interface CacheOptions {
  readonly maxBytes: number
  readonly dir: string
  readonly fresh: boolean
}

/** The cache of one render. */
export interface Cache {
  /** Absolute. */
  readonly root: string
  /** False once something could not be written: the render goes on without keeping more. */
  isWritable(): boolean
  /** Says once that the cache cannot be used, and stops keeping. */
  giveUp(cause: unknown): void
  /** The composition as the plan was made from it; undefined when its files have changed since. */
  composition(plan: RenderPlan, signal: AbortSignal): Promise<string | undefined>
  /** Whether files that pages were drawn from are the same now. */
  isSame(html: string, captureOptions: SegmentMaker['captureOptions']): ReturnType<typeof createSourceCheck>
}

const open = async ({ options, projectDir, warn }: PluginContext<CacheOptions>): Promise<Cache> => {
  const root = resolve(projectDir, options.dir)
  let writable = true
  const texts = new Map<string, Promise<string | undefined>>()
  const checks = new Map<string, ReturnType<typeof createSourceCheck>>()
  const giveUp = (cause: unknown) => {
    if (!writable) return
    writable = false
    warn({
      code: 'VID_CACHE_UNUSABLE',
      message: `finished segments cannot be kept in ${root}: ${describeCause(cause)}`,
      hint: 'The render goes on without. Check that the folder may be written to and has space, or turn it off with --no-cache.',
    })
  }
  await makeFolders(root).catch(giveUp)

  const compile = async (plan: RenderPlan, signal: AbortSignal): Promise<string | undefined> => {
    const { entry, digest: planned } = plan.composition
    const loaded = await loadComposition(projectDir, entry, { signal })
    const { html, files } = await compileComposition(
      projectDir,
      { file: entry, html: loaded.html },
      { signal },
    )
    return planned === (files.length > 0 ? compositionDigest(html) : loaded.digest) ? html : undefined
  }
  return {
    root,
    giveUp,
    isWritable: () => writable,
    async composition(plan, signal) {
      const { digest } = plan.composition
      const text = texts.get(digest) ?? compile(plan, signal)
      texts.set(digest, text)
      return text.catch(() => {
        texts.delete(digest)
        signal.throwIfAborted()
        return undefined
      })
    },
    isSame(html, { privateHosts: hosts }) {
      const privateHosts = Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : []
      const key = digestText(JSON.stringify([html, privateHosts]))
      const check =
        checks.get(key) ?? createSourceCheck({ projectDir, composition: digestText(html), privateHosts })
      checks.set(key, check)
      return check
    },
  }
}

/** Renders remembered at most. */
const MOST_RENDERS = 16

/** By scratch folder, which no two renders share. */
const renders = new Map<string, Promise<Cache>>()

/** The cache of the render that a segment belongs to. */
export const openCache = (context: PluginContext<CacheOptions>): Promise<Cache> => {
  const known = renders.get(context.workDir)
  if (known) return known
  const [oldest] = renders.keys()
  if (renders.size >= MOST_RENDERS && oldest !== undefined) renders.delete(oldest)
  const opening = open(context)
  renders.set(context.workDir, opening)
  return opening
}

/** Whether there is a cache to clean. */
export const hasCache = (root: string): Promise<boolean> =>
  stat(root).then(
    (facts) => facts.isDirectory(),
    () => false,
  )
