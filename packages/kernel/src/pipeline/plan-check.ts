import {
  checkPlan,
  failContract,
  failRender,
  portableOptions,
  type RenderPlan,
  schemaProblems,
} from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import { outputPlans } from '../plan/draft-plan.ts'
import { planUse } from './plan-use.ts'
import type { Scope } from './scope.ts'

/** What stands between a plan that may come from anywhere and the plugins of this process. */
export interface PlanCheck {
  /** Says that a plan was made here. */
  trust(plan: RenderPlan): void
  /** The plan without anything of another machine; refused when it does not fit the plugins here. */
  accept(plan: RenderPlan): RenderPlan
  /** Refuses an accepted plan that another browser or ffmpeg would draw or encode: its bytes would differ. */
  checkBuilds(plan: RenderPlan): Promise<void>
  encoderOf(plan: RenderPlan, hook: string): PluginOf<'encoder'>
}

/** What is wrong with the options that a plan has for a plugin, once those of this machine are added. */
const optionProblems = (
  { context }: Scope,
  use: RenderPlan['capture'],
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
): string[] => {
  if (!plugin.optionsSchema) return []
  const { options } = context(plugin, undefined, use.options)
  return schemaProblems(plugin.optionsSchema, options).map(
    (problem) => `option of ${plugin.name}: ${problem}`,
  )
}

/** Makes the check of one render; a plan is checked once. */
export const createPlanCheck = (scope: Scope): PlanCheck => {
  const { capture, encoders } = scope.setup
  const accepted = new WeakMap<RenderPlan, RenderPlan>()
  const built = new WeakSet<RenderPlan>()
  const encoderOf: PlanCheck['encoderOf'] = ({ encoder: { name } }, hook) => {
    const encoder = encoders.find((each) => each.name === name)
    if (!encoder) throw failRender('VID_HOOK_UNANSWERED', { hook, wanted: name })
    return encoder
  }
  /** A plugin as a plan may name it: of its options, only those that a plan may carry. */
  const portable = <U extends RenderPlan['capture']>(use: U): U => {
    const plugin = [capture, ...encoders].find(({ name }) => name === use.name)
    return plugin ? { ...use, options: portableOptions(plugin.optionsSchema, use.options) } : use
  }
  const check = (given: RenderPlan): RenderPlan => {
    const plan = checkPlan(given)
    const { outputs } = plan
    const problems = outputPlans(plan).flatMap((own) => {
      const encoder = encoderOf(own, 'encode')
      // The name of a format becomes part of a file name.
      const format = encoder.formats.includes(own.format)
        ? []
        : [`${encoder.name} does not make "${own.format}"`]
      return [...format, ...optionProblems(scope, own.encoder, encoder)]
    })
    if (plan.capture.name === capture.name) problems.push(...optionProblems(scope, plan.capture, capture))
    if (problems.length > 0) throw failContract('VID_PLAN_INVALID', { problems })
    return {
      ...plan,
      capture: portable(plan.capture),
      encoder: portable(plan.encoder),
      ...(outputs && { outputs: outputs.map((own) => ({ ...own, encoder: portable(own.encoder) })) }),
    }
  }
  return {
    encoderOf,
    trust(plan) {
      accepted.set(plan, plan)
      built.add(plan)
    },
    accept(given) {
      const plan = accepted.get(given) ?? check(given)
      accepted.set(given, plan)
      return plan
    },
    async checkBuilds(plan) {
      if (built.has(plan)) return
      const uses = outputPlans(plan).map((own) => [own.encoder, encoderOf(own, 'encode')] as const)
      for (const [use, plugin] of [[plan.capture, capture] as const, ...uses]) {
        const { build: found } = await planUse(scope, plugin)
        if (found !== use.build)
          throw failRender('VID_PLAN_BUILD', { plugin: use.name, planned: use.build, found })
      }
      built.add(plan)
    },
  }
}
