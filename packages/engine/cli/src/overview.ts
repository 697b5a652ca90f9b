import type { CommandContext } from '@vid/command'
import { hasConfigFile } from '@vid/config/names'
import { packageOrigin } from '@vid/system/origin'
import { coreCommands } from './commands.ts'
import { findSurface } from './surfaces/find-surface.ts'
import { surfacesOf, surfaceWords } from './surfaces/surfaces.ts'

/** The first words below those of surfaces. */
const LAST = ['completion', 'plugin']

const line = (word: string, about: string) => `  vid ${word.padEnd(10)} ${about}`

/** What a first word of surfaces is about, and what has to be installed for it. */
const surfaceLine = (word: string, about: string, cwd: string) => {
  const missing = surfacesOf(word).filter(({ package: name }) => !findSurface(name, cwd))
  if (missing.length === 0) return line(word, about)
  return line(word, `${about} (not installed: ${packageOrigin().install(...missing.map(({ package: name }) => name))})`)
}

/** The commands of the config, below the packages that bring them; none where it cannot be loaded. */
const configLines = async (context: CommandContext): Promise<readonly string[]> => {
  if (!hasConfigFile(context.cwd)) return []
  const { configCommands } = await import('./config-commands.ts')
  const commands = await configCommands(context).catch(() => [])
  const packages = [...new Set(commands.map(({ package: name }) => name ?? 'vid.config'))]
  return packages.flatMap((name) => [
    '',
    `${name}:`,
    ...commands
      .filter((command) => (command.package ?? 'vid.config') === name)
      .map(({ path, summary }) =>
        line(path, `${summary.charAt(0).toLowerCase()}${summary.slice(1).replace(/\.$/, '')}`),
      ),
  ])
}

/** What `vid --help` says. */
export const overview = async (context: CommandContext): Promise<string> => {
  const core = Object.entries(coreCommands).map(([word, { about }]) => [word, line(word, about)] as const)
  return [
    'vid renders HTML compositions to video.',
    '',
    'usage: vid <command> [dir] [flags]',
    '',
    ...core.filter(([word]) => !LAST.includes(word)).map(([, text]) => text),
    ...Object.entries(surfaceWords).map(([word, about]) => surfaceLine(word, about, context.cwd)),
    ...core.filter(([word]) => LAST.includes(word)).map(([, text]) => text),
    ...(await configLines(context)),
    '',
    'vid <command> --help lists the flags of a command; vid --version prints the version.',
    '',
  ].join('\n')
}
