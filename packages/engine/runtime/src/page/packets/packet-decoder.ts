import type { MediaPackets, PacketConfig } from '../../contract/packets.ts'
import { natives } from '../realm/natives.ts'
import type { PacketAnswer, PacketJob, PacketPicture } from './packet-jobs.ts'

/** The script of the worker. */
declare const __VID_PACKETS__: string

/** Decodes packets to pictures by timestamp. */
export interface PacketDecoder {
  readonly url: string
  /** Sets other packets of the same file. */
  setPackets(packets: MediaPackets): void
  /** The picture at `tick`, valid until the next call; the picture at `nextTick` is decoded ahead. */
  decode(tick: number, nextTick?: number): Promise<PacketPicture>
  close(): void
}

type Send = (job: PacketJob, transfer?: Transferable[]) => Promise<PacketAnswer>

/** Starts the worker of all videos; it answers jobs in the order in which they are sent. */
const startWorker = (): Send => {
  const source = new natives.Blob([__VID_PACKETS__], { type: 'text/javascript' })
  const worker = new natives.Worker(natives.createObjectURL.call(URL, source))
  const waiting: ((answer: PacketAnswer) => void)[] = []
  worker.onmessage = ({ data }: MessageEvent<PacketAnswer>) => waiting.shift()?.(data)
  worker.onerror = ({ message }) => {
    for (const answer of waiting.splice(0)) answer({ problem: message || 'the worker script was refused' })
  }
  return (job, transfer = []) =>
    new Promise((resolve) => {
      waiting.push(resolve)
      natives.postToWorker.call(worker, job, transfer)
    })
}

let worker: Send | undefined
const send: Send = (...job) => {
  worker ??= startWorker()
  return worker(...job)
}

/** Whether the browser can decode packets with this configuration. */
export const canDecodePackets = async (config: PacketConfig): Promise<boolean> => {
  try {
    const answer = await send({ config })
    return 'done' in answer && answer.done
  } catch {
    return false // a policy of the page that forbids workers
  }
}

/** A worker that was started from a blob has no base URL for relative ones. */
const withAbsoluteUrl = (packets: MediaPackets): MediaPackets => ({
  ...packets,
  url: new natives.URL(packets.url, location.origin).href,
})

/** Creates a decoder of packets; `decode` rejects when they cannot be decoded. */
export const createPacketDecoder = (packets: MediaPackets): PacketDecoder => {
  const first = withAbsoluteUrl(packets)
  let recycled: ArrayBuffer | undefined
  const order = (tick: number) => {
    const job = { url: first.url, tick, isEarly: false, ...(recycled && { recycled }) }
    const transfer = recycled ? [recycled] : []
    recycled = undefined
    return send(job, transfer)
  }
  /** Errors here are reported when a picture is decoded. */
  const sendAhead = (message: Parameters<typeof send>[0]) => void send(message).catch(() => undefined)
  sendAhead({ packets: first })
  return {
    url: packets.url,
    setPackets: (other) => sendAhead({ packets: withAbsoluteUrl(other) }),
    async decode(tick, nextTick) {
      const answer = await order(tick)
      if (!('pixels' in answer)) throw new Error('problem' in answer ? answer.problem : 'no picture came')
      recycled = answer.pixels
      if (nextTick !== undefined) sendAhead({ url: first.url, tick: nextTick, isEarly: true })
      return answer
    },
    close: () => sendAhead({ endedUrl: first.url }),
  }
}
