import type { CommandRun, OptionValues } from '@vid/command'
import type { VidError, Warning } from '@vid/protocol'
import type { RenderConfig } from '../../renders/config-schema.ts'
import { prepareExecution } from '../../renders/prepare-execution.ts'
import { configFromFlags, flagErrorsOf, requestedFormat } from '../shared/config.ts'
import { keyErrors, placeResult } from '../shared/output-place.ts'
import { type LambdaProject, lintLambdaProject, readLambdaProject } from '../shared/project.ts'
import type { lambdaRenderCommandOptions } from './options.ts'

type Options = OptionValues<typeof lambdaRenderCommandOptions>

/** What `vid lambda render` runs with. */
export type LambdaRenderRun = CommandRun<typeof lambdaRenderCommandOptions, { readonly dir: string | undefined }>

/** Placeholder for a site that is not uploaded yet. */
const ANY_SITE = '0'.repeat(64)

/** The task of `vid lambda render`, checked as far as this machine can. */
export interface LambdaRenderTask {
  /** Without variables. */
  readonly config: RenderConfig & { readonly format: string }
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** The folder; undefined for a site that was uploaded before. */
  readonly project: LambdaProject | undefined
  /** Resolves the local path of the result; checks again that it may be written. */
  placeFor(): Promise<string | undefined>
  readonly warnings: readonly Warning[]
  /** Notes for the user before the render begins. */
  readonly notes: readonly string[]
}

/** The format of a render, and its settings without variables. */
const settingsOf = (options: Options) => {
  const { output, 'output-key': outputKey } = options
  const format = requestedFormat(options, output, outputKey)
  return { format, config: configFromFlags(options, format) }
}

/** Problems that involve several options. */
export const lambdaRenderProblems = async (options: Options): Promise<readonly VidError[]> => {
  const { 'output-key': outputKey } = options
  const { format, config } = settingsOf(options)
  return [
    ...(await flagErrorsOf(() => prepareExecution({ siteId: ANY_SITE, config, outputKey }))),
    ...keyErrors(outputKey, { format, isFormatChosen: options.format !== undefined }),
  ]
}

/** Checks project and output; reports every problem as an error before anything is sent. */
export const readLambdaRenderTask = async (run: LambdaRenderRun): Promise<LambdaRenderTask> => {
  const { cwd, options, variables } = run
  const { dir } = run.arguments
  const { format, config: base } = settingsOf(options)
  const siteId = options['site-id']
  const file = options['variables-file']
  const folder = dir ?? (siteId === undefined ? '.' : undefined)
  const entry = base.entry ?? 'index.html'
  const strict = options['strict-variables'] === true
  const project =
    folder === undefined
      ? undefined
      : await readLambdaProject(
          { dir: folder, entry, variables: variables ?? {}, strict, shape: base.shapes, siteId },
          run,
        )
  const placeOutputs = () =>
    placeResult(
      {
        output: options.output,
        format,
        isFormatChosen: options.format !== undefined,
        force: options.force === true,
        hasPoster: options.poster !== undefined,
        projectDir: project?.composition.projectDir ?? cwd,
        inputs: [
          ...(file === undefined ? [] : [file]),
          ...(project ? [`${project.composition.projectDir}/${entry}`] : []),
        ],
      },
      cwd,
    )
  const place = await placeOutputs()
  const lint = { dir: folder ?? '.', entry, format, strict: options.strict === true }
  const notes = project ? await lintLambdaProject(project, lint, run) : []
  return {
    project,
    notes,
    config: { ...base, format },
    variables,
    placeFor: async () => (await placeOutputs())?.path,
    warnings: [...(project?.warnings ?? []), ...(place?.warnings ?? [])],
  }
}
