import { portableOptions, type RenderPlan } from '@vid/protocol'
import type { KernelHooks } from '../contracts/hooks.ts'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Scope } from './scope.ts'

/** The build of a plugin with the options of a plan, or with its own. */
export const buildOf = async (
  { watch, context }: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  options = plugin.options,
): Promise<string> => {
  const own = context(plugin, undefined, options)
  return (await watch.run(plugin.name, 'build', () => plugin.build?.(own))) ?? ''
}

/** A plugin's entry in a plan: without secret and machine-local options, with the build that will capture or encode. */
export const planUse = async (
  scope: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  settings: RenderPlan['encoder']['settings'] = {},
): Promise<RenderPlan['encoder']> => {
  const options = portableOptions(plugin.optionsSchema, plugin.options)
  return {
    ...{ name: plugin.name, options, settings },
    code: scope.codeOf(plugin),
    build: await buildOf(scope, plugin),
  }
}

/** Hooks whose answers reach the bytes of a file; the others observe, deliver, or only decide where work is done. */
const DECISIVE: ReadonlySet<string> = new Set<keyof KernelHooks>([
  ...(['resolve', 'plan', 'source', 'capture', 'encode', 'mix', 'join'] as const),
])

/** The free-form plugins whose taps can change bytes, in the order of their registration. */
export const tapUses = ({ setup, taps, codeOf }: Scope): RenderPlan['taps'] => {
  const all = taps()
  const uses = (setup.plugins ?? []).map((plugin) => {
    const own = all.filter((tap) => tap.plugin === plugin.name && DECISIVE.has(tap.hook))
    return { plugin, hooks: [...new Set(own.map(({ hook }) => hook))].sort() }
  })
  return uses
    .filter(({ hooks }) => hooks.length > 0)
    .map(({ plugin, hooks }) => ({ plugin: plugin.name, hooks, code: codeOf(plugin) }))
}
