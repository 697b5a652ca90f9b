import { portableOptions, type RenderPlan } from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import type { Scope } from './scope.ts'

/** A plugin's entry in a plan: without secret and machine-local options, with the build that will capture or encode. */
export const planUse = async (
  { watch, context }: Scope,
  plugin: PluginOf<'capture'> | PluginOf<'encoder'>,
  settings: RenderPlan['encoder']['settings'] = {},
): Promise<RenderPlan['encoder']> => {
  const options = portableOptions(plugin.optionsSchema, plugin.options)
  const build = await watch.run(plugin.name, 'build', () => plugin.build?.(context(plugin)))
  return { name: plugin.name, options, settings, build: build ?? '' }
}
