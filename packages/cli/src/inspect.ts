import {
  checkRequest,
  hashPlan,
  type KernelSetup,
  type Plugin,
  type RenderPlan,
  type RenderRequest,
  type Tap,
  type Timing,
  type Warning,
} from '@vid/kernel'
import type { GivenFlags } from './flag-check.ts'
import type { CliContext } from './flag-command.ts'
import { inspectText } from './inspect-text.ts'
import { redact } from './redact.ts'
import { createReport } from './report.ts'
import { openSetup, type Setup } from './setup.ts'

/** All that is known of a render before it runs. */
export interface Inspection {
  readonly type: 'inspect'
  /** Absolute path of the config file, or null. */
  readonly configFile: string | null
  /** Each value by name, and where it came from. */
  readonly config: Readonly<Record<string, { readonly value: unknown; readonly source: string }>>
  readonly plugins: readonly { readonly role: string; readonly name: string; readonly options: unknown }[]
  /** Every tap, per hook in the order in which they run; stage "last" runs after all others. */
  readonly taps: readonly {
    readonly hook: string
    readonly plugin: string
    readonly stage: number | 'last'
  }[]
  /** Null with --no-plan. */
  readonly plan: RenderPlan | null
  readonly planHash: string | null
  readonly timings: readonly Timing[]
  /** What a render would warn of so far: among them why frames would be captured the slower way. */
  readonly warnings: readonly Warning[]
}

const pluginsOf = ({
  capture,
  encoders,
  store,
  target,
  deliveries = [],
  plugins = [],
}: KernelSetup): Plugin[] => [
  capture,
  ...encoders,
  ...(store ? [store] : []),
  ...(target ? [target] : []),
  ...deliveries,
  ...plugins,
]

/** Taps that the kernel adds when a render starts, after those of its opening. */
const renderTaps = ({ target, deliveries = [] }: KernelSetup): Tap[] => [
  ...(target ? [{ hook: 'execute', plugin: target.name, stage: 0 }] : []),
  { hook: 'execute', plugin: '@vid/kernel', stage: Infinity },
  ...deliveries.map(({ name }) => ({ hook: 'deliver', plugin: name, stage: 0 })),
]

const orderTaps = (taps: readonly Tap[]) => {
  const hooks = [...new Set(taps.map(({ hook }) => hook))]
  return hooks.flatMap((hook) => taps.filter((tap) => tap.hook === hook).sort((a, b) => a.stage - b.stage))
}

const mergedValues = ({ config, sources }: Setup, request: RenderRequest): Inspection['config'] => {
  const values = Object.entries(config.provenance).filter(([name]) => !name.startsWith('render.'))
  const render = Object.entries(request).map(([key, value]) => {
    const source = sources[key] ?? config.provenance[`render.${key}`]?.source ?? 'default'
    return [`render.${key}`, { value, source }] as const
  })
  return Object.fromEntries([...values, ...render])
}

/** `vid inspect`: what would be rendered, by which plugins, and why. */
export const runInspect = async (
  dir: string,
  given: GivenFlags,
  { plan: wantsPlan }: { readonly plan: boolean },
  context: CliContext,
): Promise<void> => {
  const json = given.json === true
  const report = createReport({ ...context, json, quiet: given.quiet === true })
  const setup = await openSetup(dir, given, context)
  const warnings: Warning[] = []
  const warn = (warning: Warning) => {
    warnings.push(warning)
    report.warn(warning)
  }
  for (const warning of setup.warnings) warn(warning)
  const request = checkRequest(setup.requests[0])
  const { signal } = context
  signal.throwIfAborted()
  const run = await setup.kernel.open({
    projectDir: request.projectDir,
    signal,
    onEvent: (event) => event.type === 'warning' && warn(event.warning),
  })
  try {
    const plan = wantsPlan ? await run.plan(request) : null
    const inspection: Inspection = {
      type: 'inspect',
      configFile: setup.config.file ?? null,
      config: mergedValues(setup, request),
      plugins: pluginsOf(setup.kernel.setup).map(({ role, name, options, optionsSchema }) => ({
        role,
        name,
        options: redact(options, optionsSchema),
      })),
      taps: orderTaps([...run.taps(), ...renderTaps(setup.kernel.setup)]).map((tap) => ({
        ...tap,
        stage: tap.stage === Infinity ? 'last' : tap.stage,
      })),
      plan,
      planHash: plan && hashPlan(plan),
      timings: run.timings(),
      warnings,
    }
    report.event({ ...inspection })
    report.result(inspectText(inspection))
  } finally {
    await run.close()
  }
}
