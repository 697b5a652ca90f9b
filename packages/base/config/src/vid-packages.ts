import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PluginOf } from '@vid/kernel'
import { exportedFile, findPackage } from '@vid/system'
import { fail } from './errors.ts'
import { importModule } from './import-module.ts'

/** The targets of vid that have their own packages, by the names that select them. */
export const targetPackages: Readonly<Record<string, string>> = {
  docker: '@vid/target-docker',
  producer: '@vid/target-producer',
  lambda: '@vid/target-lambda',
  cloud: '@vid/target-cloud',
}

/** The presets of vid that are packages of their own. */
export const presetPackages: Readonly<Record<string, string>> = { aws: '@vid/preset-aws' }

const HERE = dirname(fileURLToPath(import.meta.url))

/** The names of targets of vid whose packages a project in a folder can use without listing them. */
export const installedTargets = (from: string): readonly string[] =>
  Object.entries(targetPackages)
    .filter(([, name]) => findPackage(name, from) ?? findPackage(name, HERE))
    .map(([target]) => target)

/** The target of a package of vid, from a project's folder or else from beside this package, with its own defaults. */
export const loadTarget = async (target: string, source: string, from: string): Promise<PluginOf<'target'>> => {
  const name = targetPackages[target] ?? ''
  const beside = findPackage(name, HERE)
  const location = findPackage(name, from) ?? beside
  const file = location && exportedFile(location, '.')
  if (!location || file === undefined) throw fail('VID_TARGET_MISSING', { target, source, package: name })
  // By its name, what is beside this package comes from its sources where this does.
  const isBeside = location.folder === beside?.folder
  const make = isBeside ? ((await import(name)) as { readonly default: unknown }).default : await importModule(file)
  return (make as () => PluginOf<'target'>)()
}
