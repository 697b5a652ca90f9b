import {
  type FrameRate,
  failRender,
  framesIn,
  kernelWarning,
  type RenderPlan,
  type RenderRequest,
  type Warning,
} from '@vid/protocol'
import type { PluginOf } from '../contracts/plugin.ts'
import { sharedFormats } from '../frames/shared-frames.ts'
import { outputPlans } from '../plan/draft-plan.ts'

type Encoder = PluginOf<'encoder'>

/** Warns of formats that could be transparent and are not, because they share a capture with one that cannot. */
export const warnOfOpaque = (
  encoders: readonly Encoder[],
  { format: first, outputs }: Pick<RenderRequest, 'format' | 'outputs'>,
  warn: (warning: Warning) => void,
): void => {
  const formats = [first, ...outputs.map(({ format }) => format)]
  const opaque = formats.find((_, index) => !encoders[index]?.alpha)
  if (opaque === undefined) return
  for (const [index, format] of formats.entries())
    if (encoders[index]?.alpha === 'optional') warn(kernelWarning('VID_OUTPUT_OPAQUE', { format, opaque }))
}

/** A frame rate, or the whole one that an encoder allows at most. */
const slower = (fps: FrameRate, max: number | undefined): FrameRate =>
  max !== undefined && framesIn(1, fps) > max ? max : fps

/** The encoder of each output of a request, in order, and the requirements on the frames that they share. */
export const chooseEncoders = (
  available: readonly Encoder[],
  request: Pick<RenderRequest, 'format' | 'outputs' | 'fps'>,
  warn: (warning: Warning) => void,
): { readonly encoders: readonly Encoder[]; readonly alpha: boolean; readonly fps: FrameRate } => {
  const formats = [request.format, ...request.outputs.map(({ format }) => format)]
  const encoders = formats.map((format) => {
    const encoder = available.find(({ formats }) => formats.includes(format))
    if (!encoder) throw failRender('VID_FORMAT_UNKNOWN', { format, known: available.flatMap((e) => e.formats) })
    return encoder
  })
  const rates = encoders.map(({ maxFps }) => slower(request.fps, maxFps))
  const alpha = encoders.every((encoder) => encoder.alpha)
  const apart = (what: string, other: number) =>
    failRender('VID_OUTPUTS_APART', { format: formats[0] ?? '', other: formats[other] ?? '', what })
  for (const index of encoders.keys()) {
    if (rates[index] !== rates[0]) throw apart('frame rate', index)
    if (!alpha && encoders[index]?.alpha === true) throw apart('transparency', index === 0 ? 1 : index)
  }
  const accepts = encoders.map((encoder) => encoder.accepts)
  const odd = accepts.findIndex((_, index) => sharedFormats(accepts.slice(0, index + 1)).length === 0)
  if (odd > 0) throw apart('frame format', odd)
  const [fps = request.fps] = rates
  if (fps !== request.fps) warn(kernelWarning('VID_FPS_CAPPED', { format: request.format, max: fps, fps: request.fps }))
  return { encoders, alpha, fps }
}

/** Warns of outputs with a format that pads an odd side of the picture. */
export const warnOfOddSize = (
  available: readonly Encoder[],
  encoders: readonly Encoder[],
  plan: RenderPlan,
  warn: (warning: Warning) => void,
): void => {
  const { width, height, scale } = plan
  if (width % 2 === 0 && height % 2 === 0) return
  const keeping = available.flatMap(({ evenSize, formats }) => (evenSize === true ? [] : formats))
  for (const [index, { format }] of outputPlans(plan).entries())
    if (encoders[index]?.evenSize === true)
      warn(kernelWarning('VID_SIZE_EVEN', { format, width, height, scaled: scale !== undefined, keeping }))
}

/** Default lookahead of an encoder that declares none: that of x264. */
const LOOKAHEAD = 40

/** The most frames that an encoder of a plan takes before its load is steady. */
export const lookaheadOf = ({ encoders }: { readonly encoders: readonly Encoder[] }, plan: RenderPlan): number =>
  Math.max(
    ...outputPlans(plan).map(({ encoder: { name, settings }, width, height }) => {
      const encoder = encoders.find((candidate) => candidate.name === name)
      return encoder?.lookahead?.(settings, { width, height }) ?? LOOKAHEAD
    }),
  )
