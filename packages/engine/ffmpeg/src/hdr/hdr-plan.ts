import type { PlanContext } from '@vid/kernel'
import type { Hdr, MediaTrack, RenderPlan } from '@vid/protocol'
import { readSource } from '../probe/source.ts'
import { SDR_WHITE_NITS } from '../probe/transfer-functions.ts'
import { ffmpegWarning } from '../warnings.ts'

/** Mastering display of most HDR, in x265's notation: P3 primaries, D65 white, 1000 cd/m². */
const DISPLAY = 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)'
const DISPLAY_PEAK = 1000
/** MaxFALL of a source that states none, cd/m². */
const DEFAULT_MAX_FALL = 400

/** HDR metadata of a plan with these HDR sources; without any, the metadata of graphics alone. */
const hdrOf = async (tracks: readonly MediaTrack[], { sources: files, signal }: PlanContext): Promise<Hdr> => {
  const transfers = new Set(tracks.map(({ source }) => source.picture?.hdr))
  const transfer = transfers.has('hlg') && !transfers.has('pq') ? 'hlg' : 'pq'
  if (tracks.length === 0)
    return {
      transfer,
      peak: DISPLAY_PEAK,
      mastering: DISPLAY,
      maxCll: SDR_WHITE_NITS,
      maxFall: SDR_WHITE_NITS,
    }
  const sources = await Promise.all(
    tracks.map(async ({ src }) => {
      const file = await files.file(src)
      return file === undefined ? undefined : (await readSource(file, { signal })).mastering
    }),
  )
  const peak = Math.max(...tracks.map(({ source }) => source.picture?.peak ?? DISPLAY_PEAK))
  const averages = sources.map((source) => source?.maxFall ?? Math.min(peak, DEFAULT_MAX_FALL))
  const clamp = (nits: number) => Math.min(Math.round(peak), Math.max(SDR_WHITE_NITS, nits))
  return {
    transfer,
    peak,
    mastering: sources.find((source) => source?.mastering)?.mastering ?? DISPLAY,
    maxCll: clamp(peak),
    maxFall: clamp(Math.max(...averages)),
  }
}

/** Lists the sources of tracks for a warning. */
const listOf = (tracks: readonly MediaTrack[]) => [...new Set(tracks.map(({ src }) => `"${src}"`))].join(', ')

/** Decides whether a plan is HDR; an encoder that supports HDR says so by `hdr: true` in its settings. */
export const planHdr = async (plan: RenderPlan, context: PlanContext): Promise<RenderPlan> => {
  const { request, warn } = context
  const tracks = plan.media.filter(({ kind, source }) => kind === 'video' && source.picture?.hdr)
  if (request.sdr || (tracks.length === 0 && !request.hdr)) return plan
  const canHdr = plan.encoder.settings.hdr === true && (request.codec ?? 'hevc') === 'hevc'
  if (canHdr && !plan.outputs) return { ...plan, hdr: await hdrOf(tracks, context) }
  if (tracks.length > 0 || canHdr) {
    const what = tracks.length > 0 ? `${listOf(tracks)} is HDR` : 'HDR was asked for'
    const formats = [plan.format, ...(plan.outputs ?? []).map(({ format }) => format)]
    warn(ffmpegWarning('VID_HDR_TO_SDR', { what, formats }))
  }
  return plan
}
