import { resolve } from 'node:path'
import { bytesText, defineCommand, type OptionTable, outputOptions } from '@vid/command'
import { lambdaRenderOptions, stackPlaceOptions } from './shared/options.ts'

const { bucket, stack, region } = stackPlaceOptions

const lambdaSitesCreateOptions = {
  composition: lambdaRenderOptions.composition,
  bucket,
  stack,
  region,
  ...outputOptions,
} as const satisfies OptionTable

/** `vid lambda sites create [dir]`. */
export const lambdaSitesCreateCommand = defineCommand({
  path: 'lambda sites create',
  summary: 'Upload a project once, and print the id of its site.',
  details:
    'The id is a digest of the names, modes and contents of the files, so an unchanged folder is not uploaded again. Pass the id to --site-id of vid lambda render.',
  arguments: [{ name: 'dir', default: '.' }],
  options: lambdaSitesCreateOptions,
  examples: [['The folder "intro"', 'vid lambda sites create intro']],
  async run(run) {
    const [{ bucketOf }, { readLambdaProject }, { uploadSite }] = await Promise.all([
      import('./shared/place.ts'),
      import('./shared/project.ts'),
      import('./shared/upload.ts'),
    ])
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
          : `nothing to upload: the bucket has this version of the folder`,
      )
    report.result(site.siteId)
  },
})
