import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderPlan } from '@vid/protocol'
import { progressEvent, replaceSecrets } from '@vid/protocol'
import { checkPlugins } from '../contracts/define.ts'
import type { KernelHooks } from '../contracts/hooks.ts'
import { createHooks } from '../contracts/hooks.ts'
import type { Kernel, KernelSetup, OpenRender, RunOptions } from '../contracts/kernel-types.ts'
import { keepsScratch, reportKept } from '../debug.ts'
import { createPool } from '../pool.ts'
import { superviseHooks } from '../supervision/supervise-hooks.ts'
import { createWatch } from '../supervision/watch.ts'
import { createPages } from './pages.ts'
import { makePlan } from './plan.ts'
import { createSegments } from './segments.ts'

/** What all steps of one render share. */
export type Scope = ReturnType<typeof createScope>

const createScope = (setup: KernelSetup, options: RunOptions) => {
  const { projectDir, signal: outer, onEvent } = options
  const shared = options.shared ?? createPool()
  const stop = new AbortController()
  const signal: AbortSignal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal
  const workDir = join(tmpdir(), `vid-${randomUUID()}`)
  const hooks: KernelHooks = createHooks()
  const watch = createWatch(signal)
  const warnings: OpenRender['warnings'][number][] = []
  // Plans that were made or checked here.
  const trusted = new WeakSet<RenderPlan>()
  const emit: OpenRender['emit'] = (event) => {
    onEvent?.(event)
    hooks.progress.call(event)
  }
  const report: OpenRender['report'] = (...progress) => emit(progressEvent(...progress))
  const warn: OpenRender['warn'] = (warning) => {
    if (warnings.some(({ code, message }) => code === warning.code && message === warning.message)) return
    warnings.push(warning)
    emit({ type: 'warning', warning })
  }
  const context: OpenRender['context'] = (plugin, own = signal, planned = plugin.options) => ({
    signal: own,
    projectDir,
    workDir,
    shared,
    options: replaceSecrets(plugin.optionsSchema, planned, plugin.options),
    warn: (warning) => warn({ plugin: plugin.name, ...warning }),
  })
  const own = { setup, shared, stop, signal, workDir, hooks, watch, warnings, trusted }
  return { ...own, emit, report, warn, context, ...superviseHooks(hooks, watch) }
}

const openRender = async (setup: KernelSetup, options: RunOptions): Promise<OpenRender> => {
  const scope = createScope(setup, options)
  const { hooks, as, shared, stop, workDir } = scope
  for (const plugin of setup.plugins ?? []) as(plugin.name, () => plugin.setup(hooks, plugin))
  const pages = createPages(scope)
  const segments = createSegments(scope, pages)
  await mkdir(workDir, { mode: 0o700 })
  const working = new Set<Promise<unknown>>()
  const track = <T>(job: Promise<T>): Promise<T> => {
    const settled = job.catch(() => {}).finally(() => working.delete(settled))
    working.add(settled)
    return job
  }
  return {
    ...scope,
    timings: scope.watch.timings,
    plan: (request) => track(makePlan(scope, pages, request)),
    renderSegment: (...segment) => track(segments.renderSegment(...segment)),
    join: (...files) => track(segments.join(...files)),
    async close() {
      stop.abort()
      await Promise.all(working)
      await pages.close()
      if (shared !== options.shared) await shared.close()
      if (keepsScratch()) return reportKept('the work folder of the render', workDir)
      await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Checks the plugins and makes the kernel that runs them; nothing is started yet. */
export const createKernel = (setup: KernelSetup): Kernel => {
  const { capture, encoders, store, target, deliveries = [], plugins = [] } = setup
  const single = [capture, store, target].filter((plugin) => plugin !== undefined)
  checkPlugins([...single, ...encoders, ...deliveries, ...plugins])
  return { setup, open: (options) => openRender(setup, options) }
}
