import { resolve } from 'node:path'
import { startCommand } from '../../../flags/command-start.ts'
import type { RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { bucketOf } from '../../../lambda/place.ts'
import { readLambdaProject } from '../../../lambda/project.ts'
import { uploadSite } from '../../../lambda/upload.ts'
import { bytesText } from '../../../text.ts'
import { chooseProgress } from '../../render/progress.ts'
import { lambdaSitesCreateFlags } from './flags.ts'

/** `vid lambda sites create`: uploads a project unless it is there, and prints its id. */
export const runLambdaSitesCreate = async (dir = '.', rawFlags: RawFlags, context: CliContext): Promise<void> => {
  const { cwd } = context
  const { flags, json, report } = startCommand(lambdaSitesCreateFlags, rawFlags, context)
  const { composition: entry = 'index.html' } = flags
  const asked = { dir, entry, variables: {}, strict: false }
  const { warnings } = await readLambdaProject(asked, context)
  for (const warning of warnings) report.warn(warning)
  const place = await bucketOf(flags, context)
  const progress = chooseProgress(context, report, rawFlags)
  const site = await uploadSite(resolve(cwd, dir), place, { report, progress, signal: context.signal })
  if (!json)
    report.note(
      site.uploaded
        ? `uploaded: ${site.files} files, ${bytesText(site.bytes)}`
        : `nothing to upload: this version of the folder is there`,
    )
  report.result(site.siteId)
}
