import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type CommandRun, shortPath } from '@vid/command'
import { type Finding, findingCounts, lintFolder, openContext } from '@vid/render'
import { isWithin } from '@vid/system'
import { fail } from '../../errors.ts'
import { nextCommand, placeProject, writeProject } from '../../new-project.ts'
import { findingsText } from '../lint/lint-text.ts'
import { type ImportedProject, readHyperframes } from './hyperframes-files.ts'
import type { importOptions } from './options.ts'

/** What `vid import` imports from, each with how it is read. */
const SOURCES: Readonly<Record<string, typeof readHyperframes>> = { hyperframes: readHyperframes }

const checkSource = (source: string, shown: string) => {
  if (existsSync(join(source, 'index.html'))) return
  const reason = existsSync(source) ? 'it has no index.html' : 'there is no such folder'
  throw fail('VID_IMPORT_SOURCE', { folder: shown, reason })
}

interface ImportArguments {
  readonly from: string
  readonly dir: string
  /** The new folder. */
  readonly name: string | undefined
}

/** `vid import`: makes a project from one of another program, and says what is left to do. */
export const runImport = async (run: CommandRun<typeof importOptions, ImportArguments>): Promise<void> => {
  const { cwd, env, signal, json, report, spelling, unguarded } = run
  const { from, dir, name } = run.arguments
  const read = Object.hasOwn(SOURCES, from) ? SOURCES[from] : undefined
  if (read === undefined) throw fail('VID_IMPORT_UNKNOWN', { from, known: Object.keys(SOURCES) })
  const source = resolve(cwd, dir)
  checkSource(source, shortPath(source, cwd))
  const place = await placeProject(name ?? `${basename(source)}-vid`, cwd)
  if (isWithin(place.folder, source)) throw fail('VID_IMPORT_PLACE', { folder: place.shown })
  const project = await read(source, place, signal)
  await writeProject(place, project.files, signal)
  const open = await openContext({ cwd, env, spelling, loading: unguarded })
  const linted = await lintFolder({ projectDir: place.folder }, open, signal)
  const findings: readonly Finding[] = [...project.notes, ...linted]
  report.event({
    type: 'import',
    folder: place.folder,
    files: Object.keys(project.files).sort(),
    renames: project.renames,
    findings,
  })
  if (!json) for (const line of notesOf(project, findings)) report.note(line)
  if (!json) report.note(`next: ${nextCommand(place.folder, cwd, 'npm install && npx vid render')}`)
  report.result(place.shown)
}

const changeText = (from: string, to: string): string => {
  if (from === '') return `added ${to}`
  return to === '' ? `removed ${from}` : `${from} is ${to} now`
}

const notesOf = ({ renames, leftOut, scripts }: ImportedProject, findings: readonly Finding[]): string[] => [
  ...renames.map(({ file, line, from, to }) => `${file}:${line}: ${changeText(from, to)}`),
  ...(leftOut.length > 0 ? [`left out, as vid does not read it: ${leftOut.join(', ')}`] : []),
  ...(scripts.length > 0 ? [`package.json: these scripts still call hyperframes: ${scripts.join(', ')}`] : []),
  ...(findings.length > 0
    ? [findingsText(findings), `${findingCounts(findings)} to look at`]
    : ['nothing is left to do']),
]
