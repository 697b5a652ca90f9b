import { type RenderPlan, Type } from '@vid/protocol'
import type { PlanOptions } from '@vid/render'
import type { S3Bucket } from '@vid/s3'

import type { Planned } from '../../contract/action-events.ts'
import { countChunks, segmentsOfChunks } from '../../contract/chunks.ts'
import type { ExecutionInput } from '../../contract/execution-input.ts'
import { INLINE_MAP_ITERATIONS } from '../../contract/limits.ts'
import { renderKeys } from '../../contract/object-keys.ts'
import { fail } from '../../errors.ts'
import { outputKeyProblem } from '../../renders/output-key.ts'
import { type CallRun, plainWarning } from '../call-run.ts'
import { checkFit } from '../fit.ts'
import { withProject } from '../project.ts'
import { keepReference, readReference } from '../references.ts'
import { checkVersion } from '../version.ts'

const Values = Type.Record(Type.String(), Type.Unknown())

/** Returns the input with its variable values, fetched from the bucket if needed. */
export const withVariables = async (input: ExecutionInput, place: S3Bucket): Promise<ExecutionInput> => {
  const { variablesObject, renderId } = input
  if (!variablesObject) return input
  const { variables: key } = renderKeys(renderId)
  return { ...input, variables: await readReference(place, variablesObject, key, Values) }
}

/** Refuses plans that cannot be rendered in parts on machines without a GPU. */
const onlyPlan = ({ plans }: { readonly plans: readonly RenderPlan[] }): RenderPlan => {
  const [plan, ...others] = plans
  if (!plan || others.length > 0 || plan.outputs)
    throw fail('VID_LAMBDA_CONFIG', { field: 'config.format', problem: 'a render has only one format' })
  if (plan.hdr)
    throw fail('VID_LAMBDA_CONFIG', {
      field: 'config.sdr',
      problem: `the composition has HDR sources (${plan.hdr.transfer}), and HDR is not rendered in parts; set sdr to have them tone-mapped`,
    })
  return plan
}

/** Plans a render, and stores the plan and the input for the later calls. */
export const runPlan = async (input: ExecutionInput, run: CallRun): Promise<Planned> => {
  const { place, signal } = run
  const { renderId, chunks: chunkSettings } = input
  const keys = renderKeys(renderId)
  checkVersion(input.version)
  const split: PlanOptions['split'] = (frames, most) => segmentsOfChunks(frames, chunkSettings, most)
  const planned = await withProject(run, await withVariables(input, place), async (settings) => {
    const renderer = await run.renderer()
    return renderer.planRender(settings, { signal, renderId, split })
  })
  const plan = onlyPlan(planned)
  const problem = outputKeyProblem(input.outputKey, plan.format)
  if (problem !== undefined) throw fail('VID_LAMBDA_CONFIG', { field: 'outputKey', problem })
  const count = Math.min(countChunks(plan.frames, chunkSettings), plan.segments.length)
  await checkFit(plan, count, run.environment)
  run.tally.frames = plan.frames
  run.tally.chunks = count
  const request = await keepReference(place, keys.request, input)
  const warnings = planned.warnings.map(plainWarning)
  const planReference = await keepReference(place, keys.plan, { renderId, request: request.sha256, plan, warnings })
  const numbers = Array.from({ length: count }, (_, index) => index)
  const parts: Planned['parts'] = numbers.map((chunk) => ({ action: 'segment', chunk }))
  // The last one, so that no chunk waits for it where calls are few, and iterations have the numbers of chunks.
  if (input.growing) parts.push({ action: 'publish', chunk: 0 })
  return {
    renderId,
    request,
    plan: planReference,
    frames: plan.frames,
    chunks: numbers,
    parts,
    isWide: parts.length > INLINE_MAP_ITERATIONS,
  }
}
