import { pathToFileURL } from 'node:url'
import type { AnyCommand } from '@vid/command'
import { exportedFile } from '@vid/system'
import { ownVersion } from '../beside.ts'
import { fail } from '../errors.ts'
import { findSurface } from './find-surface.ts'
import type { Surface } from './surfaces.ts'

/**
 * The commands of a surface, from the project in a folder or else from beside this package; undefined where it is not
 * installed. Another version of it is an error: its commands would work with another vid.
 */
export const loadSurface = async (surface: Surface, cwd: string): Promise<readonly AnyCommand[] | undefined> => {
  const { package: name } = surface
  const found = findSurface(name, cwd)
  if (!found) return undefined
  const own = await ownVersion()
  const file = exportedFile(found, './commands')
  if (found.version !== own || file === undefined)
    throw fail('VID_COMMAND_PACKAGE_VERSION', { package: name, version: found.version, own, folder: found.folder })
  // By its name, what is beside this package comes from its sources where this does.
  const module: { readonly default: readonly AnyCommand[] } = await import(
    found.isBeside ? `${name}/commands` : pathToFileURL(file).href
  )
  return module.default
}

/** The words of a command line that a command of a surface begins with. */
const isNamed = (words: string, argv: readonly string[]) =>
  words.split(' ').every((word, index) => argv[index] === word)

/** Whether a command line names a command of a surface. */
export const namesSurface = ({ words }: Surface, argv: readonly string[]): boolean =>
  words.some((each) => isNamed(each, argv))

/** The error of a command line whose command is in a package that is not installed. */
export const missingSurface = ({ package: name, words }: Surface, argv: readonly string[]) =>
  fail('VID_COMMAND_PACKAGE_MISSING', {
    command: words.find((each) => isNamed(each, argv)) ?? argv[0] ?? '',
    package: name,
  })
