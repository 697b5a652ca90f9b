import { hashPlan, type KernelSetup, type Plugin, type Tap, takesRequests } from '@vid/kernel'
import { checkRequest, type EventOf, type RenderRequest, type Warning } from '@vid/protocol'
import type { RenderContext } from '../prepare/context.ts'
import { type PreparedRender, prepareRender } from '../prepare/prepare.ts'
import type { RenderSettings } from '../settings.ts'
import { redact } from './redact.ts'

/** Everything that is known about a render before it runs. */
export type Inspection = EventOf<'inspect'>

/** Options of an inspection; without a plan, no browser is opened. */
export interface InspectOptions {
  readonly plan: boolean
  readonly signal: AbortSignal
  onWarning?(warning: Warning): void
}

const pluginsOf = (setup: KernelSetup): Plugin[] => {
  const { capture, encoders, store, target, deliveries = [], plugins = [] } = setup
  const single = [store, target].filter((plugin) => plugin !== undefined)
  return [capture, ...encoders, ...single, ...deliveries, ...plugins]
}

/** Taps that the kernel adds when a render starts, after those of its opening. */
const renderTaps = ({ target, deliveries = [] }: KernelSetup): Tap[] => [
  ...(target ? [{ hook: takesRequests(target) ? 'request' : 'execute', plugin: target.name, stage: 0 }] : []),
  { hook: 'execute', plugin: '@vid/kernel', stage: Infinity },
  ...deliveries.map(({ name }) => ({ hook: 'deliver', plugin: name, stage: 0 })),
]

const orderTaps = (taps: readonly Tap[]): Inspection['taps'] => {
  const hooks = [...new Set(taps.map(({ hook }) => hook))]
  return hooks
    .flatMap((hook) => taps.filter((tap) => tap.hook === hook).sort((a, b) => a.stage - b.stage))
    .map((tap) => ({ ...tap, stage: tap.stage === Infinity ? 'last' : tap.stage }))
}

const mergedValues = ({ config, sources }: PreparedRender, request: RenderRequest): Inspection['config'] => {
  const values = Object.entries(config.provenance).filter(([name]) => !name.startsWith('render.'))
  const render = Object.entries(request).map(([key, value]) => {
    const source = sources[key] ?? config.provenance[`render.${key}`]?.source ?? 'default'
    return [`render.${key}`, { value, source }] as const
  })
  return Object.fromEntries([...values, ...render])
}

/** The render that would happen: its plan, its plugins, and the origin of each setting. */
export const inspectRender = async (
  settings: RenderSettings,
  context: RenderContext,
  { plan: wantsPlan, signal, onWarning }: InspectOptions,
): Promise<Inspection> => {
  const prepared = await prepareRender(settings, context, { writes: false })
  const { setup } = prepared.kernel
  const warnings: Warning[] = []
  const warn = (warning: Warning) => {
    warnings.push(warning)
    onWarning?.(warning)
  }
  for (const warning of prepared.warnings) warn(warning)
  const request = checkRequest(prepared.requests[0])
  signal.throwIfAborted()
  const run = await prepared.kernel.open({
    projectDir: request.projectDir,
    signal,
    onEvent: (event) => event.type === 'warning' && warn(event.warning),
  })
  try {
    const elsewhere = takesRequests(setup.target) ? setup.target.name : undefined
    const plan = wantsPlan && elsewhere === undefined ? await run.plan(request) : null
    return {
      type: 'inspect',
      configFile: prepared.config.file ?? null,
      config: mergedValues(prepared, request),
      plugins: pluginsOf(setup).map(({ role, name, options, optionsSchema }) => ({
        role,
        name,
        options: redact(options, optionsSchema),
      })),
      taps: orderTaps([...run.taps(), ...renderTaps(setup)]),
      plan,
      planHash: plan && hashPlan(plan),
      ...(elsewhere !== undefined && { plannedBy: elsewhere }),
      ...(run.notes.length > 0 && { notes: [...run.notes] }),
      timings: run.timings(),
      warnings,
    }
  } finally {
    await run.close()
  }
}
