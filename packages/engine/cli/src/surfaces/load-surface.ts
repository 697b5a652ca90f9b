import { pathToFileURL } from 'node:url'
import type { AnyCommand, CommandLists } from '@vid/command'
import { exportedFile } from '@vid/system'
import { commandVersion } from '../beside.ts'
import { fail } from '../errors.ts'
import { findSurface } from './find-surface.ts'
import type { CommandPackage } from './surfaces.ts'

/** What a surface exports: its commands, or what makes them of all that is known of commands. */
interface SurfaceModule {
  readonly default: readonly AnyCommand[] | ((lists: CommandLists) => readonly AnyCommand[])
}

/**
 * The commands of a surface, from the project in a folder or else from beside this package; undefined where it is not
 * installed. Another version of it is an error: its commands would work with another vid.
 */
export const loadSurface = async (
  surface: CommandPackage,
  cwd: string,
  lists: CommandLists,
): Promise<readonly AnyCommand[] | undefined> => {
  const { package: name } = surface
  const entry = findSurface(name, cwd)
  if (!entry) return undefined
  const version = await commandVersion()
  const file = exportedFile(entry, './commands')
  if (entry.version !== version || file === undefined)
    throw fail('VID_COMMAND_PACKAGE_VERSION', {
      package: name,
      version: entry.version,
      own: version,
      folder: entry.folder,
    })
  // By its name, what is beside this package comes from its sources where this does.
  const { default: commands }: SurfaceModule = await import(
    entry.isBeside ? `${name}/commands` : pathToFileURL(file).href
  )
  return typeof commands === 'function' ? commands(lists) : commands
}

/** The words of a command line that a command of a surface begins with. */
const isNamed = (words: string, argv: readonly string[]) =>
  words.split(' ').every((word, index) => argv[index] === word)

/** Whether a command line names a command of a surface. */
export const namesSurface = ({ words }: CommandPackage, argv: readonly string[]): boolean =>
  words.some((word) => isNamed(word, argv))

/** The error of a command line whose command is in a package that is not installed. */
export const missingSurface = ({ package: name, words }: CommandPackage, argv: readonly string[]) =>
  fail('VID_COMMAND_PACKAGE_MISSING', {
    command: words.find((word) => isNamed(word, argv)) ?? argv[0] ?? '',
    package: name,
  })
