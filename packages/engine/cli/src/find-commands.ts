import { type AnyCommand, type CommandContext, type CommandLists, unknownCommand } from '@vid/command'
import { packageOrigin } from '@vid/system/origin'
import { coreCommands } from './commands.ts'
import { configCommands } from './config-commands.ts'
import { fail } from './errors.ts'
import { loadSurface, missingSurface, namesSurface } from './surfaces/load-surface.ts'
import { surfaces, surfacesOf, surfaceWords } from './surfaces/surfaces.ts'

/** A command of a package that is not installed, for lists of commands. */
const missingCommand = (path: string, name: string): AnyCommand => ({
  path,
  summary: `Not installed: ${packageOrigin().install(name)}.`,
  options: {},
  run: async () => {
    throw fail('VID_COMMAND_PACKAGE_MISSING', { command: path, package: name })
  },
})

/** The commands of surfaces that begin with a first word. */
const surfaceCommands = async (
  argv: readonly string[],
  { cwd }: Pick<CommandContext, 'cwd'>,
): Promise<readonly AnyCommand[]> => {
  const [first = ''] = argv
  const possible = surfacesOf(first)
  const named = possible.find((surface) => namesSurface(surface, argv))
  if (named) {
    const commands = await loadSurface(named, cwd, commandLists)
    if (!commands) throw missingSurface(named, argv)
    return commands.filter(({ path }) => path.split(' ')[0] === first)
  }
  const all = await Promise.all(
    possible.map(async (surface) => {
      const commands = await loadSurface(surface, cwd, commandLists)
      return commands ?? surface.words.map((words) => missingCommand(words, surface.package))
    }),
  )
  return all.flat().filter(({ path }) => path.split(' ')[0] === first)
}

/** What the first words of the commands of vid are about. */
export const firstWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(coreCommands).map(([word, { about }]) => [word, about])),
  ...surfaceWords,
}

/** Every command that can be run in a folder. */
export const allCommands: CommandLists['all'] = async (context, { config = true } = {}) => {
  const core = await Promise.all(Object.values(coreCommands).map(({ load }) => load(commandLists)))
  const others = await Promise.all(surfaces.map((surface) => loadSurface(surface, context.cwd, commandLists)))
  const foreign = config ? await configCommands(context).catch(() => []) : []
  return [...core.flat(), ...others.flatMap((commands) => commands ?? []), ...foreign]
}

const commandLists: CommandLists = { all: allCommands, firstWords }

/** The commands that begin with the first word of a command line: of vid, of a surface, or of the config. */
export const findCommands = async (
  argv: readonly string[],
  context: CommandContext,
): Promise<readonly AnyCommand[]> => {
  const [first = ''] = argv
  if (Object.hasOwn(coreCommands, first)) return coreCommands[first]?.load(commandLists) ?? []
  if (Object.hasOwn(surfaceWords, first)) return surfaceCommands(argv, context)
  const foreign = await configCommands(context)
  const commands = foreign.filter(({ path }) => path.split(' ')[0] === first)
  if (commands.length > 0) return commands
  const words = [...Object.keys(firstWords), ...foreign.map(({ path }) => path.split(' ')[0] ?? '')]
  throw unknownCommand(first, words)
}
