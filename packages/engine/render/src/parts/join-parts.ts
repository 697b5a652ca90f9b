import { createKernel, defineTarget, type EncodedFile, type PluginOf, render as renderRequest } from '@vid/kernel'
import type { RenderPlan, RenderRequestInput } from '@vid/protocol'
import { fail } from '../errors.ts'
import { prepareRender } from '../prepare/prepare.ts'
import { type RenderOutcome, type RunRequests, renderPrepared } from '../run/render.ts'
import type { RenderSettings } from '../settings.ts'
import type { PartContext, PartOptions } from './part-context.ts'

/** A plan with finished segments. */
export interface FinishedPlan {
  readonly plan: RenderPlan
  /** For each segment, in order, the paths of its files: one for each output of the plan. */
  readonly segments: readonly (readonly [string, ...string[]])[]
}

/** The formats of a plan or of a request, which tell those of one render apart. */
export const formatsOf = ({
  format,
  outputs = [],
}: {
  readonly format: string
  readonly outputs?: readonly { readonly format: string }[] | undefined
}): string => [format, ...outputs.map((output) => output.format)].join()

const encodedOf = ([file, ...more]: readonly [string, ...string[]]): EncodedFile =>
  more.length > 0 ? { file, more: more.map((path) => ({ file: path })) } : { file }

/** A target with segments that exist already. */
const joining = ({ segments }: FinishedPlan): PluginOf<'target'> =>
  defineTarget({
    name: '@vid/render-join',
    async run(plan, { join }) {
      if (segments.length !== plan.segments.length)
        throw fail('VID_PARTS_FILES', { given: segments.length, wanted: plan.segments.length })
      return join(segments.map(encodedOf))
    },
  })()

/** The finished plan of a request, which its formats name. */
const finishedFor = (
  { format = 'mp4', outputs = [] }: RenderRequestInput,
  plans: readonly FinishedPlan[],
): FinishedPlan => {
  const formats = formatsOf({ format, outputs })
  const match = plans.find(({ plan }) => formatsOf(plan) === formats)
  if (!match) throw fail('VID_PARTS_PLAN', { wanted: formats, given: plans.map(({ plan }) => formatsOf(plan)) })
  return match
}

/** Joins finished segments, has the result verified, and delivers it. */
export const joinParts = async (
  settings: RenderSettings,
  plans: readonly FinishedPlan[],
  { context, setupOf, runOptions }: PartContext,
  options: PartOptions,
): Promise<RenderOutcome> => {
  const prepared = await prepareRender(settings, context)
  const setup = setupOf(prepared, options.store)
  const run: RunRequests = async ({ requests }, { renderId, signal, onEvent }) => {
    const finished = requests.map((request) => finishedFor(request, plans))
    const results = []
    for (const [index, part] of finished.entries()) {
      const kernel = createKernel({ ...setup, target: joining(part) })
      results.push(
        await renderRequest(kernel, requests[index] as RenderRequestInput, {
          plan: part.plan,
          renderId,
          signal,
          ...runOptions(),
          ...(onEvent && { onEvent }),
        }),
      )
    }
    return results
  }
  return renderPrepared(prepared, settings, options, run)
}
