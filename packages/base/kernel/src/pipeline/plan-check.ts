import { checkPlan, failContract, failRender, portableOptions, type RenderPlan, schemaProblems } from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import { outputPlans } from '../plan/draft-plan.ts'
import { canonicalJson } from '../plan/plan-identity.ts'
import { buildOf, tapUses } from './plan-use.ts'
import type { Scope } from './scope.ts'

/** Checks a plan, which may come from anywhere, before the plugins of this process use it. */
export interface PlanCheck {
  /** Marks a plan as made here. */
  trust(plan: RenderPlan): void
  /** The plan without options of another machine; refused when it does not match the plugins here. */
  accept(plan: RenderPlan): RenderPlan
  /** Refuses an accepted plan that another browser, ffmpeg or plugin would make: its bytes would differ. */
  checkBuilds(plan: RenderPlan): Promise<void>
  encoderOf(plan: RenderPlan, hook: string): PluginOf<'encoder'>
}

/** Problems of the options that a plan has for a plugin, once those of this machine are added. */
const optionProblems = (
  { context }: Scope,
  use: RenderPlan['capture'],
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
): string[] => {
  if (!plugin.optionsSchema) return []
  const { options } = context(plugin, undefined, use.options)
  return schemaProblems(plugin.optionsSchema, options).map((problem) => `option of ${plugin.name}: ${problem}`)
}

/** Hooks that are called while a finished plan is rendered. */
const RENDERING: ReadonlySet<string> = new Set(['source', 'capture', 'encode', 'mix', 'join'])

/** Refuses a plan when a tap that renders it has other code or options here, or is on one side only. */
const checkTaps = (scope: Scope, { taps: planned }: RenderPlan): void => {
  const isRendering = ({ hooks }: RenderPlan['taps'][number]) => hooks.some((hook) => RENDERING.has(hook))
  const current = tapUses(scope).filter(isRendering)
  const names = [...planned.filter(isRendering), ...current].map(({ plugin }) => plugin)
  for (const plugin of new Set(names)) {
    const [there, here] = [planned, current].map((uses) => uses.find((use) => use.plugin === plugin))
    if (there?.code !== here?.code)
      throw failRender('VID_PLAN_CODE', { plugin, planned: there?.code, found: here?.code })
    const optionsOf = (use: typeof here) => canonicalJson(use?.options ?? {})
    if (optionsOf(there) !== optionsOf(here))
      throw failRender('VID_PLAN_OPTIONS', { plugin, planned: optionsOf(there), found: optionsOf(here) })
  }
}

/** Creates the check of one render; a plan is checked once. */
export const createPlanCheck = (scope: Scope): PlanCheck => {
  const { capture, encoders } = scope.setup
  const accepted = new WeakMap<RenderPlan, RenderPlan>()
  const built = new WeakSet<RenderPlan>()
  const encoderOf: PlanCheck['encoderOf'] = ({ encoder: { name } }, hook) => {
    const encoder = encoders.find((candidate) => candidate.name === name)
    if (!encoder) throw failRender('VID_HOOK_UNANSWERED', { hook, wanted: name })
    return encoder
  }
  /** A plugin as a plan may name it: of its options, only those that a plan may carry. */
  const portable = <U extends RenderPlan['capture']>(use: U): U => {
    const plugin = [capture, ...encoders].find(({ name }) => name === use.name)
    return plugin ? { ...use, options: portableOptions(plugin.optionsSchema, use.options) } : use
  }
  const check = (untrusted: RenderPlan): RenderPlan => {
    const plan = checkPlan(untrusted)
    const { outputs } = plan
    const problems = outputPlans(plan).flatMap((output) => {
      const encoder = encoderOf(output, 'encode')
      // The name of a format becomes part of a file name.
      const format = encoder.formats.includes(output.format) ? [] : [`${encoder.name} does not make "${output.format}"`]
      return [...format, ...optionProblems(scope, output.encoder, encoder)]
    })
    if (plan.capture.name === capture.name) problems.push(...optionProblems(scope, plan.capture, capture))
    if (problems.length > 0) throw failContract('VID_PLAN_INVALID', { problems })
    return {
      ...plan,
      capture: portable(plan.capture),
      encoder: portable(plan.encoder),
      ...(outputs && {
        outputs: outputs.map((output) => ({ ...output, encoder: portable(output.encoder) })),
      }),
    }
  }
  return {
    encoderOf,
    trust(plan) {
      accepted.set(plan, plan)
      built.add(plan)
    },
    accept(untrusted) {
      const plan = accepted.get(untrusted) ?? check(untrusted)
      accepted.set(untrusted, plan)
      return plan
    },
    async checkBuilds(plan) {
      if (built.has(plan)) return
      const uses = outputPlans(plan).map((output) => [output.encoder, encoderOf(output, 'encode')] as const)
      for (const [use, plugin] of [[plan.capture, capture] as const, ...uses]) {
        const build = await buildOf(scope, plugin, use.name === plugin.name ? use : {})
        if (build !== use.build)
          throw failRender('VID_PLAN_BUILD', { plugin: use.name, planned: use.build, found: build })
        const code = scope.codeOf(plugin)
        if (code !== use.code) throw failRender('VID_PLAN_CODE', { plugin: use.name, planned: use.code, found: code })
      }
      checkTaps(scope, plan)
      built.add(plan)
    },
  }
}
