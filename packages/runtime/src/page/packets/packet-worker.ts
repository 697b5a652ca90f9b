import type { MediaPackets } from '../../contract.ts'
import type { PacketAnswer, PacketJob, PacketOrder, PacketPicture, PacketQuestion } from './packet-jobs.ts'
import { createPictures, decoderConfig } from './packet-pictures.ts'
import { openPixels, type PacketPixels } from './packet-pixels.ts'
import { type Loans, openLoans } from './picture-share.ts'

/** Runs as a worker: modules run slowly in a page that a debugger watches. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<PacketJob>) => void) | null
  postMessage(answer: PacketAnswer, transfer: Transferable[]): void
}

let pixels: PacketPixels | undefined

const isSupported = async ({ config }: PacketQuestion): Promise<boolean> => {
  pixels ??= await openPixels()
  return (await VideoDecoder.isConfigSupported(decoderConfig(config))).supported === true
}

const decoders = new Map<string, ReturnType<typeof createPictures>>()
const loans = new Map<string, Loans>()
/** Sources whose last picture was borrowed: the next one is rarely asked for, and would cost all before it. */
const borrowed = new Set<string>()
/** Pictures that will be asked for next, by address. */
const early = new Map<string, { readonly tick: number; readonly made: PacketPicture }>()

const show = async ({ url, tick, isEarly, used }: PacketOrder): Promise<PacketPicture | undefined> => {
  if (used) pixels?.reuse(used)
  const known = early.get(url)
  early.delete(url)
  if (known?.tick === tick) return known.made
  if (known) pixels?.reuse(known.made.pixels)
  const decoder = decoders.get(url)
  if (!decoder || !pixels) throw new Error(`no packets of ${url}`)
  if (isEarly && borrowed.has(url)) return undefined
  const loan = await loans.get(url)?.borrow(tick)
  if (loan) borrowed.add(url)
  else borrowed.delete(url)
  if (loan) return loan
  const made = await pixels.make(await decoder.at(tick), decoder.config())
  loans.get(url)?.lend(tick, made)
  if (!isEarly) return made
  early.set(url, { tick, made })
  return undefined
}

const endLoans = (url: string) => {
  loans.get(url)?.close()
  loans.delete(url)
}

const take = (packets: MediaPackets) => {
  const { url, share } = packets
  const known = decoders.get(url)
  known?.take(packets)
  if (!known) decoders.set(url, createPictures(packets))
  endLoans(url)
  if (share) loans.set(url, openLoans(url, share))
}

const answer = async (job: PacketJob): Promise<PacketAnswer> => {
  if ('config' in job) return { done: await isSupported(job) }
  if ('tick' in job) return (await show(job)) ?? { done: true }
  if ('ended' in job) {
    decoders.get(job.ended)?.close()
    decoders.delete(job.ended)
    early.delete(job.ended)
    endLoans(job.ended)
    return { done: true }
  }
  take(job.packets)
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
