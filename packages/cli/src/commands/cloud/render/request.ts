import { cloudFps } from '@vid/client'
import {
  type CloudRenderInput,
  cloudFormats,
  type FrameRate,
  NUMERIC_FRAME_RATE_RULE,
  type VidError,
  type Warning,
} from '@vid/kernel'
import { placeOutput } from '@vid/render'
import { readLocalProject } from '../../../cloud/project-source.ts'
import { fail } from '../../../errors.ts'
import type { FlagValues } from '../../../flags/flag.ts'
import { checkFlags, type RawFlags } from '../../../flags/flag-check.ts'
import type { CliContext } from '../../../flags/flag-command.ts'
import { readFlags } from '../../../flags/variables.ts'
import { cloudRenderConflicts, cloudRenderFlags, cloudRenderNeeds } from './flags.ts'

type Flags = FlagValues<typeof cloudRenderFlags>
type Format = (typeof cloudFormats)[number]

/** What `vid cloud render` is to do, checked as far as this machine can. */
export interface CloudAsk {
  readonly flags: Flags
  /** Everything but the project. */
  readonly body: Omit<CloudRenderInput, 'project'>
  /** Absolute folder to send; undefined for a project that is elsewhere. */
  readonly folder: string | undefined
  /** Where the video of a render goes; checks again that it may. */
  placeFor(renderId: string): Promise<string>
  readonly warnings: readonly Warning[]
  /** What a person should know before it begins. */
  readonly notes: readonly string[]
}

/** The format that is asked for: the flag's, else that of the output's extension. */
const formatOf = ({ format, output }: Flags): Format => {
  const extension = /\.(\w+)$/.exec(output ?? '')?.[1]?.toLowerCase()
  return format ?? cloudFormats.find((known) => known === extension) ?? 'mp4'
}

/** What is wrong beyond single flags. */
const pairProblems = (dir: string | undefined, flags: Flags, format: Format): VidError[] => {
  const conflict = (one: string, other: string) => fail('VID_FLAG_CONFLICT', { flags: [one, other] })
  const problems: VidError[] = []
  for (const name of ['asset-id', 'url'] as const)
    if (dir !== undefined && flags[name] !== undefined) problems.push(conflict(`the folder "${dir}"`, `--${name}`))
  for (const name of ['output', 'poll-interval', 'max-wait'] as const)
    if (flags.wait === false && flags[name] !== undefined) problems.push(conflict('--no-wait', `--${name}`))
  // There is no alpha at 4k.
  if (flags.resolution === '4k' && format !== 'mp4') problems.push(conflict('--resolution 4k', `the format ${format}`))
  const { fps = 30 } = flags
  if (cloudFps(fps as FrameRate) === undefined) {
    problems.push(fail('VID_FLAG_INVALID', { flag: '--fps', value: String(fps), rule: NUMERIC_FRAME_RATE_RULE }))
  }
  return problems
}

/** Checks flags, variables, project and output; everything that is wrong is an error before anything is sent. */
export const readCloudAsk = async (
  dir: string | undefined,
  rawFlags: RawFlags,
  { cwd, signal }: Pick<CliContext, 'cwd' | 'signal'>,
): Promise<CloudAsk> => {
  const rules = { conflicts: cloudRenderConflicts, needs: cloudRenderNeeds }
  const checked = checkFlags(cloudRenderFlags, rawFlags, rules)
  const format = formatOf(checked.values)
  const errors = [...checked.errors, ...pairProblems(dir, checked.values, format)]
  const { flags, variables = {} } = await readFlags({ ...checked, errors }, { cwd, signal })
  const isLocal = flags['asset-id'] === undefined && flags.url === undefined
  const strict = flags['strict-variables'] === true
  const { composition: entry = 'index.html' } = flags as { composition?: string }
  const local = isLocal
    ? await readLocalProject({ dir: dir ?? '.', entry, variables, strict }, { cwd, signal })
    : undefined
  const ratio = flags['aspect-ratio'] ?? (local ? local.aspectRatio : '16:9')
  const { output, quality = 'standard', resolution = '1080p', fps = 30 } = flags
  const callbackUrl = flags['callback-url']
  const callbackId = flags['callback-id']
  const file = flags['variables-file']
  const placed = (path: string) =>
    placeOutput(
      {
        output: path,
        format,
        formats: cloudFormats,
        force: flags.force === true,
        isFormatChosen: flags.format !== undefined,
        projectDir: local?.projectDir ?? cwd,
        inputs: [...(file === undefined ? [] : [file]), ...(local ? [`${local.projectDir}/${entry}`] : [])],
      },
      cwd,
    )
  const pathFor = (renderId: string) => output ?? `renders/${renderId}.${format}`
  const { warnings } = flags.wait === false ? { warnings: [] } : await placed(pathFor('render'))
  return {
    flags,
    body: {
      fps: cloudFps(fps as FrameRate) ?? 30,
      quality,
      format,
      resolution,
      composition: entry,
      variables,
      ...(ratio !== undefined && { aspect_ratio: ratio }),
      // The server checks projects that are elsewhere, and refuses what does not fit.
      ...(local && { strict_variables: strict }),
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
      ...(callbackId !== undefined && { callback_id: callbackId }),
    },
    folder: local?.projectDir,
    placeFor: async (renderId) => (await placed(pathFor(renderId))).path,
    warnings: [...(local?.warnings ?? []), ...warnings],
    notes:
      local && ratio === undefined
        ? [`the composition is ${local.size}, which is none of 16:9, 9:16 and 1:1; the video keeps its shape`]
        : [],
  }
}
