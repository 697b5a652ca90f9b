import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { refusedPath } from '@vid/protocol'
import ignore, { type Ignore } from 'ignore'
import { failProject, unreadable } from './errors.ts'
import { isLeftover } from './path-name.ts'

/** The file with rules, in the syntax of .gitignore. */
const RULES_FILE = '.vidignore'
const MAX_RULES_BYTES = 1024 ** 2

/** Left out of every project unless a `.vidignore` takes it in again. */
const DEFAULTS = ['node_modules', '/dist', '/coverage', 'renders/', 'snapshots/']

/** The rules of one folder; `base` is its path in the project, with a slash at its end unless it is the project. */
interface FolderRules {
  readonly base: string
  readonly rules: Ignore
}

/** Rules in force in a folder, those of the project's own folder first. */
export type IgnoreRules = readonly FolderRules[]

// Folders are compared by exact case, so that a project is the same on every system.
const makeRules = (base: string, text: string | readonly string[]): FolderRules => ({
  base,
  rules: ignore({ ignorecase: false }).add(text),
})

/** The rules of every project, and after them more of one. */
export const projectRules = (more: readonly string[] = []): IgnoreRules => [makeRules('', [...DEFAULTS, ...more])]

/** Opens a file of rules, neither following a link nor waiting at a pipe; undefined when there is none. */
const openRulesFile = (file: string) => {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
  return open(file, flags).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause.code === 'ELOOP' ? unfit(file) : unreadable(file, cause)
  })
}

const unfit = (file: string) => {
  const problem = 'must be a file of at most 1 MiB, and no link'
  return failProject('VID_PROJECT_FILES_UNFIT', {
    folder: dirname(file),
    problems: [{ path: RULES_FILE, problem }],
  })
}

const readRulesFile = async (file: string): Promise<string | undefined> => {
  const handle = await openRulesFile(file)
  if (handle === undefined) return undefined
  try {
    const facts = await handle.stat()
    if (!facts.isFile() || facts.size > MAX_RULES_BYTES) throw unfit(file)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** The rules in force in a folder: those of the folders above, and those of its own `.vidignore`. */
export const rulesInFolder = async (above: IgnoreRules, folder: string, base: string): Promise<IgnoreRules> => {
  const text = await readRulesFile(join(folder, RULES_FILE))
  return text === undefined ? above : [...above, makeRules(base, text.replace(/^\ufeff/, ''))]
}

/** What the rules of one folder say of a path; undefined when they say nothing, or only about a folder above it. */
const verdict = ({ base, rules }: FolderRules, path: string, isFolder: boolean): boolean | undefined => {
  const inside = path.slice(base.length)
  const { ignored, unignored } = rules.test(isFolder ? `${inside}/` : inside)
  if (unignored) return false
  if (!ignored) return undefined
  const parent = inside.slice(0, inside.lastIndexOf('/') + 1)
  // The folder above is listed, so a `.vidignore` further down took it in again.
  return parent !== '' && rules.test(parent).ignored ? undefined : true
}

/** Whether a file or folder is left out: hidden and leftover ones always, others by the last rule that says so. */
export const isIgnored = (rules: IgnoreRules, path: string, isFolder: boolean): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (refusedPath(name) === 'hidden' || isLeftover(name)) return true
  return (
    rules.reduceRight<boolean | undefined>((decision, rule) => decision ?? verdict(rule, path, isFolder), undefined) ??
    false
  )
}
