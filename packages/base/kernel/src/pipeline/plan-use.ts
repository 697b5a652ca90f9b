import { portableOptions, type RenderPlan, type RenderRequest } from '@vid/protocol'
import type { KernelHooks } from '../contracts/hooks.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import { checkAnswer } from '../supervision/answers.ts'
import type { Scope } from './scope.ts'

/** The build of a plugin with the options and settings of a plan, or with its own options. */
export const buildOf = async (
  { watch, context }: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  { options = plugin.options, settings }: Partial<Pick<RenderPlan['capture'], 'options' | 'settings'>> = {},
): Promise<string> => {
  const pluginContext = context(plugin, undefined, options)
  const build = () =>
    plugin.role === 'capture' ? plugin.build(pluginContext, settings) : plugin.build?.(pluginContext, settings)
  return checkAnswer(plugin.name, 'build', (await watch.run(plugin.name, 'build', build)) ?? '')
}

/** A plugin's entry in a plan: without secret and machine-local options, with the build that will capture or encode. */
export const planUse = async (
  scope: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  settings: RenderPlan['encoder']['settings'] = {},
): Promise<RenderPlan['encoder']> => {
  const options = portableOptions(plugin.optionsSchema, plugin.options)
  return {
    name: plugin.name,
    options,
    settings,
    code: scope.codeOf(plugin),
    build: await buildOf(scope, plugin, { settings }),
  }
}

/** The entry of a capture plugin in the plan of a request. */
export const captureUse = async (scope: Scope, request: RenderRequest): Promise<RenderPlan['capture']> => {
  const { capture } = scope.setup
  const choose = async () => capture.settings?.(request, scope.context(capture))
  const settings = capture.settings && (await scope.watch.run(capture.name, 'settings', choose))
  return planUse(scope, capture, checkAnswer(capture.name, 'settings', settings ?? undefined))
}

/** Hooks that can change the bytes of a file; the others observe, deliver, or only decide where work is done. */
const DECISIVE: ReadonlySet<string> = new Set<keyof KernelHooks>([
  ...(['resolve', 'plan', 'source', 'capture', 'encode', 'mix', 'join'] as const),
])

/** The free-form plugins with taps that can change bytes, in the order of their registration. */
export const tapUses = ({ setup, taps, codeOf }: Scope): RenderPlan['taps'] => {
  const all = taps()
  const uses = (setup.plugins ?? []).map((plugin) => {
    const taps = all.filter((tap) => tap.plugin === plugin.name && DECISIVE.has(tap.hook))
    return { plugin, hooks: [...new Set(taps.map(({ hook }) => hook))].sort() }
  })
  return uses
    .filter(({ hooks }) => hooks.length > 0)
    .map(({ plugin, hooks }) => {
      const use = { plugin: plugin.name, hooks, code: codeOf(plugin) }
      // A plugin that no define function made may be without options.
      const options = portableOptions(plugin.optionsSchema, plugin.options ?? {})
      return Object.keys(options).length > 0 ? { ...use, options } : use
    })
}
