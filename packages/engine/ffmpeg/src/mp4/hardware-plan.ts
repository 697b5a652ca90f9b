import type { PlanContext } from '@vid/kernel'
import type { RenderPlan } from '@vid/protocol'
import { findHardware, type HardwareFound } from '../encode/hardware.ts'
import { findFfmpeg } from '../tools/find.ts'
import { ffmpegWarning } from '../warnings.ts'
import { codecOf, codecs } from './codec.ts'

/** Replaces `gpu: true` in encoder settings by the name of a hardware encoder that works on this machine. */
export const planHardware = async (plan: RenderPlan, { request, signal, warn }: PlanContext): Promise<RenderPlan> => {
  const isWanted = request.gpu && [plan, ...(plan.outputs ?? [])].some(({ encoder }) => encoder.settings.gpu === true)
  if (!isWanted) return plan
  const { title, library } = codecs[plan.hdr ? 'hevc' : codecOf(request)]
  const hardware: HardwareFound =
    library !== 'libx264'
      ? { tried: [{ name: plan.hdr ? 'HDR' : title, reason: `only ${library} encodes it` }] }
      : await findHardware(await findFfmpeg({ signal }), signal)
  if (hardware.encoder === undefined) warn(ffmpegWarning('VID_GPU_UNAVAILABLE', { tried: hardware.tried }))
  const gpu = hardware.encoder ?? false
  const resolve = <T extends { readonly encoder: RenderPlan['encoder'] }>(part: T): T =>
    part.encoder.settings.gpu === true
      ? { ...part, encoder: { ...part.encoder, settings: { ...part.encoder.settings, gpu } } }
      : part
  return { ...resolve(plan), ...(plan.outputs && { outputs: plan.outputs.map(resolve) }) }
}
