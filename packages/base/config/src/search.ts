import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { describeCause } from '@vid/protocol'
import { distrust, distrustNamed } from '@vid/system'
import { fail } from './errors.ts'
import { configNames, foldersAbove, foreignNames } from './names.ts'

/** A config file, before it is loaded. */
interface FoundFile {
  /** Absolute path. */
  readonly file: string
  readonly text: string
  /** Names of files in the same folder that could be meant instead. */
  readonly others: readonly string[]
}

/** How an error names a file. */
export const shownPath = (file: string): string => relative(process.cwd(), file) || file

const unreadable = (file: string, reason: string, cause?: unknown) =>
  fail('VID_CONFIG_BROKEN', { file: shownPath(file), line: undefined, reason }, { cause })

/** The text of a config file; undefined for a missing or an empty one. */
const readConfig = async (file: string): Promise<string | undefined> => {
  const facts = await stat(file).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return undefined
    throw unreadable(file, describeCause(cause), cause)
  })
  if (facts === undefined || facts.isDirectory()) return undefined
  // Reading a pipe or device would wait for ever.
  if (!facts.isFile()) throw unreadable(file, 'it is not a regular file')
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unreadable(file, describeCause(cause), cause)
  })
  return text.trim() === '' ? undefined : text
}

/** Which of some names a folder has as files with a content. */
const present = async (folder: string, names: readonly string[]): Promise<string[]> => {
  const facts = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)))
  return names.filter((_, index) => facts[index]?.isFile() && facts[index].size > 0)
}

const realFolder = (folder: string) => realpath(folder).catch(() => resolve(folder))

/** Refuses a file that another user could have written: loading it would run their code as this user. */
const requireTrusted = async (file: string, from: string, named: readonly string[]): Promise<void> => {
  const folders = await Promise.all(named.map(realFolder))
  const isNamed = folders.includes(await realFolder(dirname(file)))
  // Whose project the user renders is trusted with what lies above it: root in a container often renders another's.
  const owners = await stat(from).then(
    ({ uid }) => [uid],
    () => [],
  )
  const reason = await (isNamed ? distrustNamed(file) : distrust(file, { owners }))
  if (reason !== undefined) throw fail('VID_CONFIG_UNSAFE', { file: shownPath(file), reason })
}

/**
 * The config file in `from` or the nearest folder above that has one, up to the user's home folder or the root. `named`
 * are the folders that the user has named or stands in.
 */
export const searchConfig = async (from: string, named: readonly string[]): Promise<FoundFile | undefined> => {
  for (const folder of foldersAbove(from)) {
    for (const [index, name] of configNames.entries()) {
      const file = join(folder, name)
      const text = await readConfig(file)
      if (text === undefined) continue
      await requireTrusted(file, from, named)
      return { file, text, others: await present(folder, [...configNames.slice(index + 1), ...foreignNames]) }
    }
    const [foreign] = await present(folder, foreignNames)
    if (foreign !== undefined)
      throw fail('VID_CONFIG_NAME', { file: shownPath(join(folder, foreign)), names: configNames })
  }
  return undefined
}
