import { fail, type OptionValues } from '@vid/command'
import { type FrameRate, NUMERIC_FRAME_RATE_RULE, type VidError } from '@vid/protocol'
import { type CloudFormat, cloudFormats, cloudFps } from '../../contract/index.ts'
import type { cloudRenderOptions } from './options.ts'

/** The options of `vid cloud render`. */
export type CloudRenderValues = OptionValues<typeof cloudRenderOptions>

/** The requested format: the option's, otherwise that of the output's extension. */
export const cloudFormatOf = ({ format, output }: CloudRenderValues): CloudFormat => {
  const extension = /\.(\w+)$/.exec(output ?? '')?.[1]?.toLowerCase()
  return cloudFormats.find((name) => name === (format ?? extension)) ?? 'mp4'
}

/** A table is rendered by one command, whatever the target. */
const batchElsewhere = (dir: string | undefined, batch: string): VidError =>
  fail('VID_USAGE', {
    command: 'cloud render',
    reason: `it renders one composition; for the rows of a table use "vid render${dir === undefined ? '' : ` ${dir}`} --batch ${batch} --target cloud"`,
  })

/** Problems that involve several options. */
export const cloudRenderProblems = (dir: string | undefined, options: CloudRenderValues): readonly VidError[] => {
  const format = cloudFormatOf(options)
  const conflict = (flag: string, other: string) => fail('VID_FLAG_CONFLICT', { flags: [flag, other] })
  const problems: VidError[] = []
  if (options.batch !== undefined) problems.push(batchElsewhere(dir, options.batch))
  for (const name of ['asset-id', 'url'] as const)
    if (dir !== undefined && options[name] !== undefined) problems.push(conflict(`the folder "${dir}"`, `--${name}`))
  for (const name of ['output', 'poll-interval', 'max-wait'] as const)
    if (options.wait === false && options[name] !== undefined) problems.push(conflict('--no-wait', `--${name}`))
  // No format supports alpha at 4k.
  if (options.resolution === '4k' && format !== 'mp4')
    problems.push(conflict('--resolution 4k', `the format ${format}`))
  if (options.codec !== undefined && format !== 'mp4' && format !== 'hls')
    problems.push(conflict('--codec', `the format ${format}`))
  if (options.ladder !== undefined && format !== 'hls') problems.push(conflict('--ladder', `the format ${format}`))
  const { fps = 30 } = options
  if (cloudFps(fps as FrameRate) === undefined) {
    problems.push(fail('VID_FLAG_INVALID', { flag: '--fps', value: String(fps), rule: NUMERIC_FRAME_RATE_RULE }))
  }
  return problems
}
