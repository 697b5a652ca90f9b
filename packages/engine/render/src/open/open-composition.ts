import { resolve } from 'node:path'
import { createKernel, type OpenRender, type SharedPool } from '@vid/kernel'
import type { EventOf, RenderPlan, RenderRequest, Warning } from '@vid/protocol'
import { offLostGpu } from '../concurrency/gpu-fallback.ts'
import { requireLint } from '../lint/lint-before-render.ts'
import type { RenderContext } from '../prepare/context.ts'
import { type CompositionSettings, compositionRequest } from './composition-request.ts'
import { stillEncoder } from './still-encoder.ts'

/** Options of work on a composition: its signal, shared resources, and callbacks. */
export interface CompositionOptions {
  readonly signal: AbortSignal
  /** Browsers that are shared with other work; their owner closes them. */
  readonly shared?: SharedPool
  /** Whether only pictures of single frames are taken, for which one page does. */
  readonly picturesOnly?: boolean
  onWarning?(warning: Warning): void
  /** Called with what the page wrote to its console, each message once. */
  onConsole?(event: EventOf<'console'>): void
}

/** A composition that is open to be looked at: planned, with pages to capture or examine. */
export interface OpenComposition {
  readonly run: OpenRender
  readonly plan: RenderPlan
  readonly request: RenderRequest
  /** The config file, if there is one. */
  readonly config: string | undefined
}

/** The result of work on a composition, with its warnings. */
export interface CompositionResult<T> {
  readonly result: T
  readonly warnings: readonly Warning[]
}

/**
 * Plans a composition, works on it, and closes its pages at the end. Browsers stay open in a pool that is shared. When
 * a GPU is lost, all of the work is done again without one.
 */
export const withComposition = async <T>(
  settings: CompositionSettings & { readonly output?: string },
  context: RenderContext,
  options: CompositionOptions,
  work: (composition: OpenComposition) => Promise<T>,
): Promise<CompositionResult<T>> => {
  const { signal, shared, picturesOnly, onWarning, onConsole } = options
  const { reading } = context
  const projectDir = resolve(context.cwd, settings.projectDir ?? '.')
  const output = settings.output ?? projectDir
  const { setup, request, config } = await compositionRequest(settings, { projectDir, output }, context, signal)
  const losses: Warning[] = []
  const onLoss = (warning: Warning) => {
    losses.push(warning)
    onWarning?.(warning)
  }
  return offLostGpu(request, { signal, onLoss }, async (tried): Promise<CompositionResult<T>> => {
    const kernel = createKernel({ ...setup, encoders: [{ ...stillEncoder(), alpha: settings.alpha === true }] })
    signal.throwIfAborted()
    if (tried.strict) await requireLint({ requests: [tried], kernel }, settings.projectDir ?? '.', { signal, reading })
    const run = await kernel.open({
      projectDir,
      signal,
      shared,
      reading,
      picturesOnly,
      strict: tried.strict,
      onEvent(event) {
        if (event.type === 'warning') onWarning?.(event.warning)
        if (event.type === 'console') onConsole?.(event)
      },
    })
    try {
      const plan = await run.plan(tried)
      const result = await work({ run, plan, request: tried, config })
      run.reportGroups()
      return { result, warnings: [...losses, ...run.warnings] }
    } catch (thrown) {
      throw run.refusal() ?? thrown
    } finally {
      run.reportConsole()
      await run.close()
    }
  })
}
