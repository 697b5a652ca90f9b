import { portableOptions, type RenderPlan } from '@vid/protocol'
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
  return { name: plugin.name, options, settings, build: await buildOf(scope, plugin) }
}
