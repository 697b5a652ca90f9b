import type { Warning } from '@vid/kernel'
import { prepareExecution, type RenderConfig } from '@vid/lambda'
import type { FlagValues } from '../../../flags/flag.ts'
import { checkFlags, type RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { readFlags } from '../../../flags/variables.ts'
import { configOf, flagErrorsOf, formatOf } from '../../../lambda/config.ts'
import { keyErrors, placeResult } from '../../../lambda/output-place.ts'
import { type LambdaProject, lintLambdaProject, readLambdaProject } from '../../../lambda/project.ts'
import { lambdaRenderCommandFlags, lambdaRenderConflicts, lambdaRenderNeeds } from './flags.ts'

type Flags = FlagValues<typeof lambdaRenderCommandFlags>

/** Stands for a site that is not uploaded yet. */
const ANY_SITE = '0'.repeat(64)

/** What `vid lambda render` is to do, checked as far as this machine can. */
export interface LambdaAsk {
  readonly flags: Flags
  /** Without its variables. */
  readonly config: RenderConfig & { readonly format: string }
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** The folder; undefined for a site that was uploaded before. */
  readonly project: LambdaProject | undefined
  /** Where the result goes here; checks again that it may. */
  placeFor(): Promise<string | undefined>
  readonly warnings: readonly Warning[]
  /** What a person should know before it begins. */
  readonly notes: readonly string[]
}

/** Checks flags, variables, project and output; everything that is wrong is an error before anything is sent. */
export const readLambdaAsk = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  context: CliContext,
): Promise<LambdaAsk> => {
  const { cwd } = context
  const rules = { conflicts: lambdaRenderConflicts, needs: lambdaRenderNeeds }
  const checked = checkFlags(lambdaRenderCommandFlags, rawFlags, rules)
  const { output, 'output-key': outputKey } = checked.values
  const format = formatOf(checked.values, output, outputKey)
  const base = configOf(checked.values, format)
  const errors = [
    ...checked.errors,
    ...(await flagErrorsOf(() => prepareExecution({ siteId: ANY_SITE, config: base, outputKey }))),
    ...keyErrors(outputKey, { format, isFormatChosen: checked.values.format !== undefined }),
  ]
  const { flags, variables } = await readFlags({ ...checked, errors }, context)
  const siteId = flags['site-id']
  const file = flags['variables-file']
  const folder = dir ?? (siteId === undefined ? '.' : undefined)
  const entry = base.entry ?? 'index.html'
  const strict = flags['strict-variables'] === true
  const project =
    folder === undefined
      ? undefined
      : await readLambdaProject({ dir: folder, entry, variables: variables ?? {}, strict, siteId }, context)
  const placed = () =>
    placeResult(
      {
        output,
        format,
        isFormatChosen: flags.format !== undefined,
        force: flags.force === true,
        projectDir: project?.composition.projectDir ?? cwd,
        inputs: [
          ...(file === undefined ? [] : [file]),
          ...(project ? [`${project.composition.projectDir}/${entry}`] : []),
        ],
      },
      cwd,
    )
  const place = await placed()
  const lint = { dir: folder ?? '.', entry, format, strict: flags.strict === true }
  const notes = project ? await lintLambdaProject(project, lint, context) : []
  return {
    flags,
    project,
    notes,
    config: { ...base, format },
    variables,
    placeFor: async () => (await placed())?.path,
    warnings: [...(project?.warnings ?? []), ...(place?.warnings ?? [])],
  }
}
