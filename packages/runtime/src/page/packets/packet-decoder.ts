import type { MediaPackets, PacketConfig } from '../../contract.ts'
import { natives } from '../natives.ts'
import type { PacketAnswer, PacketJob, PacketPicture } from './packet-jobs.ts'

/** The script of the worker. */
declare const __VID_PACKETS__: string

/** Decodes packets to the picture of a time stamp. */
export interface PacketDecoder {
  readonly url: string
  /** Takes other packets of the same file. */
  take(packets: MediaPackets): void
  /** The picture at a time stamp, valid until the next call; that of `then` is begun. */
  at(tick: number, then?: number): Promise<PacketPicture>
  close(): void
}

type Send = (job: PacketJob, transfer?: Transferable[]) => Promise<PacketAnswer>

/** Starts the worker of all videos; it answers jobs in the order that they are sent. */
const startWorker = (): Send => {
  const source = new natives.Blob([__VID_PACKETS__], { type: 'text/javascript' })
  const worker = new natives.Worker(natives.createObjectURL.call(URL, source))
  const waiting: ((answer: PacketAnswer) => void)[] = []
  worker.onmessage = ({ data }: MessageEvent<PacketAnswer>) => waiting.shift()?.(data)
  worker.onerror = ({ message }) => {
    for (const answer of waiting.splice(0)) answer({ problem: message || 'the script was refused' })
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

/** Whether the browser decodes such packets. */
export const canDecodePackets = async (config: PacketConfig): Promise<boolean> => {
  try {
    const answer = await send({ config })
    return 'done' in answer && answer.done
  } catch {
    return false // a policy of the page that forbids workers
  }
}

/** Makes a decoder of packets; `at` rejects when they cannot be decoded. */
export const createPacketDecoder = (packets: MediaPackets): PacketDecoder => {
  const { url } = packets
  let used: ArrayBuffer | undefined
  const ask = (tick: number, isEarly: boolean) => {
    const job = { url: addressOf(packets).url, tick, isEarly, ...(used && { used }) }
    const transfer = used ? [used] : []
    used = undefined
    return send(job, transfer)
  }
  send({ packets: addressOf(packets) })
  return {
    url,
    take: (other) => void send({ packets: addressOf(other) }),
    async at(tick, then) {
      const answer = await ask(tick, false)
      if (!('pixels' in answer)) throw new Error('problem' in answer ? answer.problem : 'no picture came')
      used = answer.pixels
      if (then !== undefined) send({ url: addressOf(packets).url, tick: then, isEarly: true })
      return answer
    },
    close: () => void send({ ended: addressOf(packets).url }),
  }
}

/** A worker's own address is no place that others could be relative to. */
const addressOf = (packets: MediaPackets): MediaPackets => ({
  ...packets,
  url: new natives.URL(packets.url, location.origin).href,
})
