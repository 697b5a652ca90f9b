import { mkdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { inTempFolder, keepsScratch, removeAbandoned, reportKept } from '@vid/system'
import { checkPlugins } from '../contracts/define.ts'
import type { Kernel, KernelSetup, OpenRender, RunOptions } from '../contracts/kernel-types.ts'
import { type CodeIdentity, identifyCode } from '../plugin-identity/identity.ts'
import { lookaheadOf } from './choose-encoders.ts'
import { tapEncoders } from './encoder-taps.ts'
import { createJoin } from './join.ts'
import { createPages } from './pages/pages.ts'
import { makePlan, renderMakerOf } from './plan.ts'
import { createPlanCheck } from './plan-check.ts'
import { prepareCapture } from './prepare-capture.ts'
import { createPublisher, openPublication } from './publish.ts'
import { createScope, WORK_PREFIX } from './scope.ts'
import { createSegments } from './segments.ts'
import { createSounds } from './shared-sound.ts'
import { createStoreLease } from './store-lease.ts'

/** Renames a work folder, so that no later render removes it as abandoned. */
const keep = async (workDir: string): Promise<void> => {
  const folder = join(dirname(workDir), basename(workDir).replace(WORK_PREFIX, 'vid-kept-work-'))
  await rename(workDir, folder)
  reportKept('the work folder of the render', folder)
}

const openRender = async (setup: KernelSetup, codeOf: CodeIdentity, options: RunOptions): Promise<OpenRender> => {
  const scope = createScope(setup, codeOf, options)
  const { offered, as, shared, signal, stop, workDir } = scope
  for (const plugin of setup.plugins ?? []) as(plugin.name, () => plugin.setup(offered, plugin))
  const pages = createPages(scope)
  const store = createStoreLease(scope)
  const check = createPlanCheck(scope)
  tapEncoders(scope)
  const sounds = createSounds(scope)
  const publisher = createPublisher(scope, sounds, options.publish)
  const renderSegment = createSegments(scope, pages, check, store, publisher)
  const join = createJoin(scope, pages, sounds, check, store, publisher)
  await inTempFolder(() => mkdir(workDir, { mode: 0o700 }))
  // What killed renders left is removed beside the work, which it must not hold up.
  const tidying = removeAbandoned(dirname(workDir), WORK_PREFIX)
  const working = new Set<Promise<unknown>>()
  const track = <T>(job: Promise<T>): Promise<T> => {
    const settled = job.catch(() => {}).finally(() => working.delete(settled))
    working.add(settled)
    return job
  }
  return {
    ...scope,
    timings: scope.watch.timings,
    async check(request) {
      for (const plugin of [setup.target, ...(setup.deliveries ?? [])])
        if (plugin?.check)
          await scope.watch.run(plugin.name, 'check', async () => plugin.check?.(request, scope.context(plugin)))
    },
    plan(request, split) {
      void track(prepareCapture(scope, request))
      return track(scope.gatherProblems(makePlan(scope, pages, check, request, split)))
    },
    maker: (request) => track(renderMakerOf(scope, request)),
    async acceptPlan(plan) {
      const accepted = check.accept(plan)
      return track(check.checkBuilds(accepted).then(() => accepted))
    },
    lookaheadOf: (plan) => lookaheadOf(setup, plan),
    ...(store.open && { openStore: store.open }),
    renderSegment: (...segment) => track(renderSegment(...segment)),
    frames: (plan, range, accepts) => pages.frames(check.accept(plan), { index: 0, ...range }, { accepts, signal }),
    examine: (plan, examining) => pages.examine(check.accept(plan), examining),
    join: (...files) => track(join(...files)),
    publish: (plan, publishing) => track(openPublication(scope, sounds, check.accept(plan), publishing)),
    async close() {
      stop.abort()
      await Promise.all(working)
      await publisher?.end()
      await sounds.close()
      await Promise.all([pages.close(), store.close()])
      // Callers that ignore the results are notified of the warnings here.
      scope.reportGroups()
      if (shared !== options.shared) await shared.close()
      await tidying
      if (keepsScratch()) return keep(workDir)
      await rm(workDir, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Removes the work folders of renders whose process has ended. */
export const removeAbandonedWork = (): Promise<void> => removeAbandoned(resolve(tmpdir()), WORK_PREFIX)

/** Checks the plugins and makes the kernel that runs them; nothing is started yet. */
export const createKernel = (setup: KernelSetup): Kernel => {
  const { capture, encoders, store, target, deliveries = [], plugins = [] } = setup
  const single = [capture, store, target].filter((plugin) => plugin !== undefined)
  checkPlugins([...single, ...encoders, ...deliveries, ...plugins])
  const codeOf = identifyCode([capture, ...encoders, ...plugins])
  return { setup, open: (options) => openRender(setup, codeOf, options) }
}
