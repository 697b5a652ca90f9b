import type { RenderPlan } from '@vid/protocol'
import { checkAnswer } from '../supervision/answers.ts'
import type { Scope } from './scope.ts'

/** Lets every encoder answer the hooks of plans that name it. */
export const tapEncoders = ({ setup, hooks, as, context, signal: whole }: Scope): void => {
  for (const encoder of setup.encoders) {
    const contextOf = (plan: RenderPlan, signal = whole) =>
      plan.encoder.name === encoder.name ? context(encoder, signal, plan.encoder.options) : undefined
    as(encoder.name, () => {
      hooks.encode.tapPromise(encoder.name, async ({ segment, frames, signal }) => {
        const pluginContext = contextOf(segment.plan, signal)
        if (!pluginContext) return undefined
        return checkAnswer(encoder.name, 'encode', await encoder.encode(frames, segment, pluginContext))
      })
      hooks.join.tapPromise(encoder.name, async ({ segments, audio, output }) => {
        const pluginContext = contextOf(output.plan)
        if (!pluginContext) return undefined
        if (!encoder.join) return segments[0] && { path: segments[0].file }
        return checkAnswer(encoder.name, 'join', await encoder.join(segments, audio, output, pluginContext))
      })
      hooks.verify.tapPromise(encoder.name, async (job) => {
        const pluginContext = contextOf(job.plan)
        if (pluginContext) await encoder.verify?.(job, pluginContext)
      })
    })
  }
}
