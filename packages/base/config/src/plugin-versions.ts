import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { originOf, type Plugin } from '@vid/kernel'
import { parseJson, type Warning } from '@vid/protocol'
import { findPackage } from '@vid/system'
import { configWarning } from './warnings.ts'

const KERNEL = '@vid/kernel'
const HERE = dirname(fileURLToPath(import.meta.url))

type Ranges = Readonly<Record<string, unknown>> | undefined

/** The range of kernels that the package of a file declares; undefined where it declares none. */
const declaredRange = (file: string): string | undefined => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    let text: string
    try {
      text = readFileSync(join(folder, 'package.json'), 'utf8')
    } catch {
      continue
    }
    const manifest = parseJson(text) as { name?: unknown; peerDependencies?: Ranges; dependencies?: Ranges } | undefined
    if (manifest?.name === undefined) continue
    const range = manifest.peerDependencies?.[KERNEL] ?? manifest.dependencies?.[KERNEL]
    return typeof range === 'string' ? range : undefined
  }
  return undefined
}

/** Whether a plugin for a range of kernels works with a version: another patch of the same minor version does. */
const fits = async (range: string, version: string): Promise<boolean> => {
  if (range === version) return true
  // Bundled, as for Lambda, a CommonJS module has its exports only here.
  const { minVersion, minor, major, satisfies, validRange } = (await import('semver')).default
  // Such as a path, or a version of a workspace.
  if (validRange(range) === null || satisfies(version, range, { includePrerelease: true })) return true
  const least = minVersion(range)
  return least !== null && major(least) === major(version) && minor(least) === minor(version)
}

/** Warns of plugins whose packages say that they are made for another version of the kernel. */
export const versionWarnings = async (plugins: readonly Plugin[]): Promise<Warning[]> => {
  const version = findPackage(KERNEL, HERE)?.version
  const warnings: Warning[] = []
  if (version === undefined) return warnings
  for (const plugin of plugins) {
    const [file] = originOf(plugin)?.files ?? []
    const range = file === undefined ? undefined : declaredRange(file)
    if (range !== undefined && !(await fits(range, version)))
      warnings.push(configWarning('VID_PLUGIN_VERSION', { plugin: plugin.name, range, version }))
  }
  return warnings
}
