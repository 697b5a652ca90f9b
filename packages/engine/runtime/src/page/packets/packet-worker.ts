import type { MediaPackets } from '../../contract/packets.ts'
import type { PacketAnswer, PacketJob, PacketOrder, PacketPicture, PacketQuestion } from './packet-jobs.ts'
import { createPictureDecoder, decoderConfig } from './packet-pictures.ts'
import { openPixels, type PacketPixels } from './packet-pixels.ts'
import { openSharedPictures, type SharedPictures } from './picture-share.ts'

/** Runs as a worker with a separate script, since modules run slowly in a page with a debugger. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<PacketJob>) => void) | null
  postMessage(answer: PacketAnswer, transfer: Transferable[]): void
}

let pixels: PacketPixels | undefined

const isSupported = async ({ config }: PacketQuestion): Promise<boolean> => {
  pixels ??= await openPixels()
  return (await VideoDecoder.isConfigSupported(decoderConfig(config))).supported === true
}

const decoders = new Map<string, ReturnType<typeof createPictureDecoder>>()
const shares = new Map<string, SharedPictures>()
/**
 * Sources with a last picture from the other page: their next picture is rarely needed, and decoding it would require
 * all pictures before it.
 */
const consuming = new Set<string>()
/** Pictures that were decoded ahead, by URL. */
const early = new Map<string, { readonly tick: number; readonly picture: PacketPicture }>()

const show = async ({ url, tick, isEarly, recycled }: PacketOrder): Promise<PacketPicture | undefined> => {
  if (recycled) pixels?.recycle(recycled)
  const ahead = early.get(url)
  early.delete(url)
  if (ahead?.tick === tick) return ahead.picture
  if (ahead) pixels?.recycle(ahead.picture.pixels)
  const decoder = decoders.get(url)
  if (!decoder || !pixels) throw new Error(`no packets of ${url}`)
  if (isEarly && consuming.has(url)) return undefined
  const shared = await shares.get(url)?.request(tick)
  if (shared) consuming.add(url)
  else consuming.delete(url)
  if (shared) return shared
  const picture = await pixels.convert(await decoder.decode(tick), decoder.config())
  shares.get(url)?.keep(tick, picture)
  if (!isEarly) return picture
  early.set(url, { tick, picture })
  return undefined
}

const endShare = (url: string) => {
  shares.get(url)?.close()
  shares.delete(url)
}

const setPackets = (packets: MediaPackets) => {
  const { url, share } = packets
  const decoder = decoders.get(url)
  decoder?.setPackets(packets)
  if (!decoder) decoders.set(url, createPictureDecoder(packets))
  endShare(url)
  if (share) shares.set(url, openSharedPictures(url, share))
}

const answer = async (job: PacketJob): Promise<PacketAnswer> => {
  if ('config' in job) return { done: await isSupported(job) }
  if ('tick' in job) return (await show(job)) ?? { done: true }
  if ('endedUrl' in job) {
    decoders.get(job.endedUrl)?.close()
    decoders.delete(job.endedUrl)
    early.delete(job.endedUrl)
    endShare(job.endedUrl)
    return { done: true }
  }
  setPackets(job.packets)
  return { done: true }
}

let last: Promise<void> = Promise.resolve()
scope.onmessage = ({ data: job }) => {
  last = last.then(async () => {
    try {
      const done = await answer(job)
      scope.postMessage(done, 'pixels' in done ? [done.pixels] : [])
    } catch (error) {
      scope.postMessage({ problem: String(error) }, [])
    }
  })
}
