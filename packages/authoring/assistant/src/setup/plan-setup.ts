import { lstat, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { isWithin } from '@vid/system'
import { fail } from '../errors.ts'
import { isUnchangedSkill, skillFiles } from '../skill-files.ts'
import { withSection } from './agents-section.ts'
import { type Assistant, assistants } from './assistants.ts'
import { changeSettings } from './settings-text.ts'

/** What becomes of one file of a project. */
export interface PlannedFile {
  /** Path in the project. */
  readonly file: string
  readonly action: 'create' | 'change' | 'same' | 'keep'
  /** Why it is kept; empty for other actions. */
  readonly reason: string
  /** Its text now; null where there is none. */
  readonly before: string | null
  /** Its text afterwards; equal where it is left as it is. */
  readonly after: string
}

const isMissing = (thrown: unknown) => (thrown as NodeJS.ErrnoException).code === 'ENOENT'

/** The text of a file in a project; null where there is none. */
export const readProjectText = async (folder: string, file: string): Promise<string | null> => {
  const path = join(folder, file)
  try {
    if (!isWithin(await realpath(path), folder))
      throw fail('VID_SETUP_SETTINGS', { file, reason: 'it is a link that leads out of the project' })
    return await readFile(path, 'utf8')
  } catch (cause) {
    const isDangling = isMissing(cause) && (await lstat(path).catch(() => undefined)) !== undefined
    if (isDangling) throw fail('VID_SETUP_SETTINGS', { file, reason: 'it is a link that leads nowhere' }, { cause })
    if (isMissing(cause)) return null
    if ((cause as { code?: string }).code?.startsWith('VID_')) throw cause
    throw fail('VID_SETUP_SETTINGS', { file, reason: describeCause(cause) }, { cause })
  }
}

const planned = (file: string, before: string | null, after: string): PlannedFile => ({
  file,
  action: before === null ? 'create' : before === after ? 'same' : 'change',
  reason: '',
  before,
  after,
})

const leaveAsIs = (file: string, before: string, reason: string): PlannedFile => ({
  file,
  action: 'keep',
  reason,
  before,
  after: before,
})

const planSettings = async (folder: string, { file, form }: Assistant): Promise<PlannedFile> => {
  const before = await readProjectText(folder, file)
  const change = changeSettings(before ?? '', form)
  if (change.kind === 'broken') throw fail('VID_SETUP_SETTINGS', { file, reason: change.reason })
  if (change.kind === 'keep') return leaveAsIs(file, before ?? '', change.reason)
  return planned(file, before, change.kind === 'same' ? (before ?? '') : change.text)
}

const planSkill = async (folder: string, file: string, text: string): Promise<PlannedFile> => {
  const before = await readProjectText(folder, file)
  const isPersonal = before !== null && before !== text && !isUnchangedSkill(before)
  return isPersonal ? leaveAsIs(file, before, 'a person has changed it') : planned(file, before, text)
}

const AGENTS = 'AGENTS.md'

const planAgents = async (folder: string, skills: string): Promise<PlannedFile> => {
  const before = await readProjectText(folder, AGENTS)
  const change = withSection(before ?? '', skills)
  return change.kind === 'keep' ? leaveAsIs(AGENTS, before ?? '', change.reason) : planned(AGENTS, before, change.text)
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** The assistants by these names; without any, those that the project shows signs of, or else the first. */
export const chooseAssistants = async (folder: string, names: readonly string[]): Promise<readonly Assistant[]> => {
  const all = assistants.map(({ name }) => name)
  for (const assistant of names)
    if (!all.includes(assistant)) throw fail('VID_SETUP_ASSISTANT', { assistant, known: all })
  if (names.length > 0) return assistants.filter(({ name }) => names.includes(name))
  const used = await Promise.all(
    assistants.map(async ({ signs }) =>
      (await Promise.all(signs.map((sign) => isThere(join(folder, sign))))).includes(true),
    ),
  )
  const chosen = assistants.filter((_, index) => used[index])
  return chosen.length > 0 ? chosen : assistants.slice(0, 1)
}

/** What the set-up of assistants would write into a project. */
export const planSetup = async (
  folder: string,
  chosen: readonly Assistant[],
  version: string,
): Promise<readonly PlannedFile[]> => {
  const settings = await Promise.all(chosen.map((assistant) => planSettings(folder, assistant)))
  const skills = await skillFiles(version)
  const places = [...new Set(chosen.map((assistant) => assistant.skills))]
  const pages = places.flatMap((place) =>
    [...skills].map(([path, text]) => planSkill(folder, `${place}/${path}`, text)),
  )
  const [first = ''] = places
  return [...settings, await planAgents(folder, first), ...(await Promise.all(pages))]
}
