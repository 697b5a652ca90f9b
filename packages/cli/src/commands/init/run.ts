import { checkFlags, type RawFlags, throwErrors } from '../../flags/flag-check.ts'
import type { CliContext } from '../../flags/flag-command.ts'
import { nextCommand, placeProject, writeProject } from '../../new-project.ts'
import { createReport } from '../../report.ts'
import { initFlags } from './flags.ts'
import { projectFiles } from './project-files.ts'
import { DEFAULT_TEMPLATE, type Template, templates } from './templates.ts'

const templateList = () => Object.entries<Template>(templates).map(([name, facts]) => ({ name, ...facts }))

const templateLines = (): string => {
  const rows = templateList()
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows.map(({ name, about }) => `${name.padEnd(width)}  ${about}`).join('\n')
}

/** `vid init`: makes a project that renders, in a folder that is new or empty. */
export const runInit = async (given: string | undefined, raw: RawFlags, context: CliContext): Promise<void> => {
  const { cwd, signal } = context
  const { values, errors } = checkFlags(initFlags, raw)
  throwErrors(errors)
  const { template = DEFAULT_TEMPLATE, list, json = false, quiet = false } = values
  const report = createReport({ ...context, json, quiet })
  if (list) {
    report.event({
      type: 'init-templates',
      templates: templateList().map(({ name, about, format, batch }) => ({
        name,
        about,
        ...(format && { format }),
        ...(batch && { batch: batch.file }),
      })),
    })
    return report.result(templateLines())
  }
  const place = await placeProject(given, cwd)
  const files = await projectFiles(place.name, template)
  await writeProject(place, files, signal)
  report.event({ type: 'init', folder: place.folder, template, files: Object.keys(files).sort() })
  if (!json) {
    report.note(`made from the template "${template}"; \`npx @vid/cli init --list\` shows the others`)
    report.note(`next: ${nextCommand(place, cwd, 'npm install && npx vid preview')}`)
  }
  report.result(place.shown)
}
