import type { Hdr, MediaTrack, PlanContext, RenderPlan } from '@vid/kernel'
import { findHardware, type HardwareFound } from '../encode/hardware.ts'
import { readSource } from '../probe/source.ts'
import { findFfmpeg } from '../tools/find.ts'
import { WHITE } from './transfer-functions.ts'

/** P3 colours and D65 white on a display of 1000 cd/m², what most HDR is graded on. */
const DISPLAY = 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)'
const DISPLAY_PEAK = 1000
const USUAL_AVERAGE = 400

/** The light of a plan whose HDR sources are these; without any, that of graphics. */
const lightOf = async (
  tracks: readonly MediaTrack[],
  { sources: files, signal }: PlanContext,
): Promise<Hdr> => {
  const curves = new Set(tracks.map(({ source }) => source.picture?.hdr))
  const transfer = curves.has('hlg') && !curves.has('pq') ? 'hlg' : 'pq'
  if (tracks.length === 0)
    return { transfer, peak: DISPLAY_PEAK, mastering: DISPLAY, maxCll: WHITE, maxFall: WHITE }
  const sources = await Promise.all(
    tracks.map(async ({ src }) => {
      const file = await files.file(src)
      return file === undefined ? undefined : (await readSource(file, { signal })).mastering
    }),
  )
  const peak = Math.max(...tracks.map(({ source }) => source.picture?.peak ?? DISPLAY_PEAK))
  const levels = sources.map((each) => each?.maxFall ?? Math.min(peak, USUAL_AVERAGE))
  const clamp = (nits: number) => Math.min(Math.round(peak), Math.max(WHITE, nits))
  return {
    ...{ transfer, peak },
    mastering: sources.find((each) => each?.mastering)?.mastering ?? DISPLAY,
    maxCll: clamp(peak),
    maxFall: clamp(Math.max(...levels)),
  }
}

/** Names of HDR sources as a warning lists them. */
const named = (tracks: readonly MediaTrack[]) => [...new Set(tracks.map(({ src }) => `"${src}"`))].join(', ')

/** Decides whether a plan is HDR: its encoder must be able to, which its settings say with `hdr: true`. */
export const planLight = async (plan: RenderPlan, context: PlanContext): Promise<RenderPlan> => {
  const { request, warn } = context
  const tracks = plan.media.filter(({ kind, source }) => kind === 'video' && source.picture?.hdr)
  if (request.sdr || (tracks.length === 0 && !request.hdr)) return plan
  const canHdr = plan.encoder.settings.hdr === true
  if (canHdr && !plan.outputs) return { ...plan, hdr: await lightOf(tracks, context) }
  if (tracks.length > 0 || canHdr) {
    const what = tracks.length > 0 ? `${named(tracks)} is HDR` : 'HDR was asked for'
    const formats = [plan.format, ...(plan.outputs ?? []).map(({ format }) => format)]
    warn({
      code: 'VID_HDR_TO_SDR',
      message: `${what}, but the ${formats.join(' and ')} ${formats.length > 1 ? 'are' : 'is'} SDR`,
      hint: 'HDR needs mp4 alone; --sdr makes SDR without this warning.',
    })
  }
  return plan
}

/** Puts a vendor's encoder that works on this machine into the settings that ask for one with `gpu: true`. */
export const planHardware = async (
  plan: RenderPlan,
  { request, signal, warn }: PlanContext,
): Promise<RenderPlan> => {
  const asks =
    request.gpu && [plan, ...(plan.outputs ?? [])].some(({ encoder }) => encoder.settings.gpu === true)
  if (!asks) return plan
  const found: HardwareFound = plan.hdr
    ? { tried: [{ name: 'HDR', reason: 'only x265 encodes it' }] }
    : await findHardware(await findFfmpeg({ signal }), signal)
  if (found.encoder === undefined)
    warn({
      code: 'VID_GPU_UNAVAILABLE',
      message: `No hardware encoder is used: ${found.tried.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`,
      hint: 'The CPU encodes instead. Check the driver and the rights to its device, or leave --gpu out.',
    })
  const gpu = found.encoder ?? false
  const decide = <T extends { readonly encoder: RenderPlan['encoder'] }>(each: T): T =>
    each.encoder.settings.gpu === true
      ? { ...each, encoder: { ...each.encoder, settings: { ...each.encoder.settings, gpu } } }
      : each
  return { ...decide(plan), ...(plan.outputs && { outputs: plan.outputs.map(decide) }) }
}
