import { resolve } from 'node:path'
import { bytesText, type CommandRun } from '@vid/command'
import { bucketOf } from '../shared/place.ts'
import { readLambdaProject } from '../shared/project.ts'
import { uploadSite } from '../shared/upload.ts'
import type { lambdaSitesCreateOptions } from './options.ts'

/** `vid lambda sites create`: uploads a project unless it is there, and reports its id. */
export const runLambdaSitesCreate = async (
  run: CommandRun<typeof lambdaSitesCreateOptions, { readonly dir: string }>,
): Promise<void> => {
  const { cwd, signal, options, json, report, progress } = run
  const { dir } = run.arguments
  const { composition: entry = 'index.html' } = options
  const source = { dir, entry, variables: {}, strict: false }
  const { warnings } = await readLambdaProject(source, run)
  for (const warning of warnings) report.warn(warning)
  const place = await bucketOf(options, run)
  const site = await uploadSite(resolve(cwd, dir), place, { report, progress, signal })
  if (!json)
    report.note(
      site.uploaded
        ? `uploaded: ${site.files} files, ${bytesText(site.bytes)}`
        : `nothing to upload: this version of the folder is there`,
    )
  report.result(site.siteId)
}
