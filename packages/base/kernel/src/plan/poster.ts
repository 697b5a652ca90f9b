import { failRender, type RenderPlan, type RenderRequest } from '@vid/protocol'
import type { EncoderDefinition } from '../contracts/roles.ts'
import { frameAt } from './moment.ts'

type Encoder = Pick<EncoderDefinition<never>, 'formats' | 'still'>

/** Adds the requested poster to a plan; `covered` says that nothing of its pictures is transparent. */
export const planPoster = (
  plan: RenderPlan,
  { poster }: Pick<RenderRequest, 'poster'>,
  {
    encoders,
    all,
    covered,
  }: { readonly encoders: readonly Encoder[]; readonly all: readonly Encoder[]; readonly covered: boolean },
): RenderPlan => {
  if (poster === undefined) return plan
  if (!encoders.some(({ still }) => still)) {
    const formats = [plan.format, ...(plan.outputs ?? []).map(({ format }) => format)]
    const able = all.filter(({ still }) => still).flatMap((encoder) => encoder.formats)
    throw failRender('VID_POSTER_FORMAT', { formats, able })
  }
  const frame = frameAt(poster, plan)
  if (frame === undefined)
    throw failRender('VID_POSTER_TIME', { value: poster, seconds: Number(plan.duration.toFixed(3)) })
  return { ...plan, poster: { frame, format: plan.alpha && !covered ? 'png' : 'jpg' } }
}
