import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  checkPlugins,
  createHooks,
  type Kernel,
  type KernelSetup,
  type OpenRender,
  type RenderPlan,
  type RunOptions,
  replaceSecrets,
  type Warning,
} from '@vid/protocol'
import { superviseHooks } from './hooks.ts'
import { createPages } from './pages.ts'
import { makePlan } from './plan.ts'
import { createSegments } from './segments.ts'
import { createWatch, type Watch } from './watch.ts'

/** What all steps of one render share. */
export interface Scope
  extends Pick<OpenRender, 'hooks' | 'signal' | 'as' | 'context' | 'warn' | 'emit' | 'report'> {
  readonly setup: KernelSetup
  readonly watch: Watch
  readonly workDir: string
  readonly projectDir: string
  /** Plans that were made here: they need no check of their builds. */
  readonly planned: WeakSet<RenderPlan>
}

const openRender = async (setup: KernelSetup, options: RunOptions): Promise<OpenRender> => {
  const { projectDir } = options
  const workDir = join(tmpdir(), `vid-${randomUUID()}`)
  const stop = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal
  const hooks = createHooks()
  const watch = createWatch(signal)
  const { as, taps } = superviseHooks(hooks, watch)
  const warnings: Warning[] = []
  const scope: Scope = {
    setup,
    hooks,
    watch,
    signal,
    workDir,
    projectDir,
    planned: new WeakSet(),
    as,
    emit(event) {
      options.onEvent?.(event)
      hooks.progress.call(event)
    },
    warn(warning) {
      if (warnings.some(({ code, message }) => code === warning.code && message === warning.message)) return
      warnings.push(warning)
      scope.emit({ type: 'warning', warning })
    },
    report(stage, framesRendered, totalFrames) {
      const progress = stage === 'deliver' ? 1 : totalFrames && (framesRendered / totalFrames) * 0.98
      scope.emit({ type: 'render-progress', stage, progress, framesRendered, totalFrames })
    },
    context: ({ name, options, optionsSchema }, own = signal, planned = options) => ({
      options: replaceSecrets(optionsSchema, planned, options),
      signal: own,
      projectDir,
      workDir,
      warn: (warning) => scope.warn({ plugin: name, ...warning }),
    }),
  }
  for (const plugin of setup.plugins ?? []) as(plugin.name, () => plugin.setup(hooks, plugin))
  const pages = createPages(scope)
  const segments = createSegments(scope, pages)
  const working = new Set<Promise<unknown>>()
  const track = <T>(job: Promise<T>): Promise<T> => {
    const settled = job.catch(() => {}).finally(() => working.delete(settled))
    working.add(settled)
    return job
  }
  await mkdir(workDir, { mode: 0o700 })
  return {
    ...scope,
    warnings,
    taps,
    timings: watch.timings,
    plan: (request) => track(makePlan(scope, pages, request)),
    renderSegment: (plan, index, part) => track(segments.renderSegment(plan, index, part)),
    join: (plan, files, audio) => track(segments.join(plan, files, audio)),
    async close() {
      stop.abort()
      await Promise.all(working)
      await pages.close()
      await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Checks the plugins and makes the kernel that runs them; nothing is started yet. */
export const createKernel = (setup: KernelSetup): Kernel => {
  const { capture, encoders, target, deliveries = [], plugins = [] } = setup
  checkPlugins([capture, ...encoders, ...(target ? [target] : []), ...deliveries, ...plugins])
  return { setup, open: (options) => openRender(setup, options) }
}
