import { basename, resolve } from 'node:path'
import { describeCause } from '@vid/kernel'
import { fail } from '../../errors.ts'
import { checkFlags, type RawFlags, throwErrors } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { entriesOf, fillFolder, makeFolder } from '../../new-folder.ts'
import { createReport } from '../../report.ts'
import { shortPath } from '../../text.ts'
import { initFlags } from './flags.ts'
import { projectFiles } from './project-files.ts'
import { DEFAULT_TEMPLATE, type Template, templates } from './templates.ts'

/** Entries of a folder that a message names. */
const MAX_SHOWN = 3

const templateList = () => Object.entries<Template>(templates).map(([name, facts]) => ({ name, ...facts }))

const templateLines = (): string => {
  const rows = templateList()
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.map(({ name, about }) => `${name.padEnd(width)}  ${about}`).join('\n')
}

/** Where the project goes, as an absolute path, and whether that folder is there already, empty. */
const placeOf = async (given: string | undefined, cwd: string) => {
  const folder = resolve(cwd, given ?? '.')
  const shown = shortPath(folder, cwd)
  const entries = await entriesOf(folder).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOTDIR') throw fail('VID_INIT_TAKEN', { folder: shown, reason: 'there is a file' })
    throw fail('VID_INIT_FOLDER', { folder: shown, reason: describeCause(thrown) }, { cause: thrown })
  })
  if (entries !== undefined && entries.length > 0) {
    const reason = `it is not empty and has ${entries.slice(0, MAX_SHOWN).join(', ')}`
    throw fail('VID_INIT_TAKEN', { folder: shown, reason })
  }
  return { folder, isThere: entries !== undefined }
}

/** `vid init`: makes a project that renders, in a folder that is new or empty. */
export const runInit = async (
  given: string | undefined,
  raw: RawFlags,
  context: CliContext,
): Promise<void> => {
  const { cwd, signal } = context
  const { values, errors } = checkFlags(initFlags, raw)
  throwErrors(errors)
  const { template = DEFAULT_TEMPLATE, list, json = false, quiet = false } = values
  const report = createReport({ ...context, json, quiet })
  if (list) {
    report.event({
      type: 'init-templates',
      templates: templateList().map(({ name, about, format, batch }) => ({
        ...{ name, about },
        ...(format && { format }),
        ...(batch && { batch: batch.file }),
      })),
    })
    return report.result(templateLines())
  }
  const { folder, isThere } = await placeOf(given, cwd)
  const files = await projectFiles(basename(folder), template)
  await (isThere ? fillFolder : makeFolder)(folder, files, signal).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown
    throw fail(
      'VID_INIT_FOLDER',
      { folder: shortPath(folder, cwd), reason: describeCause(thrown) },
      { cause: thrown },
    )
  })
  report.event({ type: 'init', folder, template, files: Object.keys(files).sort() })
  if (!json) {
    const there = folder === cwd ? '' : `cd ${quoted(shortPath(folder, cwd))} && `
    report.note(`made from the template "${template}"; \`vid init --list\` shows the others`)
    report.note(`next: ${there}npm install && npx vid render`)
  }
  report.result(shortPath(folder, cwd))
}

/** A path as one word of a shell. */
const quoted = (path: string): string =>
  /^[\w./@-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
