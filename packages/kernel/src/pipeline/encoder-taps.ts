import type { RenderPlan } from '@vid/protocol'
import type { Scope } from './scope.ts'

/** Lets every encoder answer the hooks of plans that name it. */
export const tapEncoders = ({ setup, hooks, as, context, signal: whole }: Scope): void => {
  for (const encoder of setup.encoders) {
    const contextOf = (plan: RenderPlan, signal = whole) =>
      plan.encoder.name === encoder.name ? context(encoder, signal, plan.encoder.options) : undefined
    as(encoder.name, () => {
      hooks.encode.tapPromise(encoder.name, async ({ segment, frames, signal }) => {
        const own = contextOf(segment.plan, signal)
        return own && encoder.encode(frames, segment, own)
      })
      hooks.join.tapPromise(encoder.name, async ({ segments, audio, output }) => {
        const own = contextOf(output.plan)
        if (!own) return undefined
        if (!encoder.join) return segments[0] && { path: segments[0].file }
        return encoder.join(segments, audio, output, own)
      })
      hooks.verify.tapPromise(encoder.name, async (made) => {
        const own = contextOf(made.plan)
        if (own) await encoder.verify?.(made, own)
      })
    })
  }
}
