import type { CommandRun } from '@vid/command'
import { placeProject, writeProject } from '../../new-project.ts'
import type { initOptions } from './options.ts'
import { projectFiles } from './project-files.ts'
import { DEFAULT_TEMPLATE, type Template, templates } from './templates.ts'

/** What is known of each template. */
const templateFacts = () =>
  Object.entries<Template>(templates).map(([name, { about, format, batch }]) => ({
    name,
    about,
    ...(format && { format }),
    ...(batch && { batch: batch.file }),
  }))

/** `vid init`: makes a project that renders, in a folder that is new or empty. */
export const runInit = async (run: CommandRun<typeof initOptions, { readonly name: string | undefined }>) => {
  const { cwd, signal, report } = run
  const { template = DEFAULT_TEMPLATE, list } = run.options
  if (list) {
    const templates = templateFacts()
    report.event({ type: 'init-templates', templates })
    const width = Math.max(...templates.map(({ name }) => name.length))
    for (const { name, about } of templates) report.result(`${name.padEnd(width)}  ${about}`)
    return undefined
  }
  const place = await placeProject(run.arguments.name, cwd)
  const files = await projectFiles(place, template)
  await writeProject(place, files, signal)
  return { folder: place.folder, template, files: Object.keys(files).sort() }
}
