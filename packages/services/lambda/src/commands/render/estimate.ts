import { dollars } from '@vid/command'
import { ratioOf } from '@vid/protocol'
import { type CostEstimate, estimateRenderCost } from '../../cost/estimate.ts'
import type { Prices } from '../../cost/prices.ts'
import { fail } from '../../errors.ts'
import type { LambdaRenderRun, LambdaRenderTask } from './request.ts'

const DEFAULT_FPS = 30

const minutes = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

/** Formats an estimate as lines of text. */
export const estimateText = (
  { low, expected, high, frames, chunks, pricesDate }: CostEstimate,
  region: string,
): string => {
  const lines: readonly (readonly [string, string])[] = [
    ['cost', `about ${dollars(expected.usd)}, from ${dollars(low.usd)} to ${dollars(high.usd)}`],
    ['time', `about ${minutes(expected.seconds)}, from ${minutes(low.seconds)} to ${minutes(high.seconds)}`],
    ['frames', `${frames} in ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`],
    ['prices', `of ${pricesDate}, in ${region}`],
  ]
  return lines.map(([name, value]) => `${name.padEnd(7)} ${value}`).join('\n')
}

/** Reports what a render may cost, without asking AWS. */
export const reportEstimate = (
  { config, project }: LambdaRenderTask,
  prices: Prices | undefined,
  { options, env, json, report }: LambdaRenderRun,
): void => {
  const { AWS_REGION, AWS_DEFAULT_REGION } = env
  const region = options.region ?? (AWS_REGION || AWS_DEFAULT_REGION)
  if (!region) throw fail('VID_LAMBDA_ESTIMATE', { problem: 'the region is unknown', hint: 'Give --region.' })
  const { fps = DEFAULT_FPS, from, to, width, height, scale = 1, ...others } = config
  const range = { fps, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const totalFrames = project?.composition.framesOf(range)
  if (!project || typeof totalFrames !== 'number')
    throw fail('VID_LAMBDA_ESTIMATE', {
      problem: project
        ? 'only the page knows how long the composition is'
        : 'the length of an uploaded site is unknown',
      hint: project ? 'Give its root a data-duration.' : 'Give the folder too.',
    })
  const { num, den } = ratioOf(scale)
  const scaled = (pixels: number) => Math.round((pixels * num) / den)
  const { width: across, height: down } = project.composition
  const estimate = estimateRenderCost({
    config: { ...others, fps, width: width ?? scaled(across), height: height ?? scaled(down) },
    totalFrames,
    region,
    ...(prices && { prices }),
    ...(options.memory !== undefined && { memoryMb: options.memory }),
  })
  report.event({ type: 'lambda-estimate', ...estimate })
  report.result(estimateText(estimate, region))
  if (estimate.mayTakeTooLong && !json)
    report.note(
      'a call may take longer than the 15 minutes that Lambda gives it: give a smaller --chunk-size and more --max-parallel-chunks',
    )
}
