import type { PictureShare } from '../../contract.ts'
import type { PacketPicture } from './packet-jobs.ts'

/** A question for a picture, and what is answered: null when it is not there, or not any more. */
interface Loan {
  readonly url: string
  readonly tick: number
  readonly picture?: PacketPicture | null
}

/** Pictures of one source that are kept for the borrower, who asks for them in order. */
const MOST_KEPT = 2

/** A lender that does not answer in this time is gone; the borrower then decodes by itself, to the same pixels. */
const ANSWER_MS = 2000

/** One end of the loans of a source's pictures between the workers of two pages. */
export interface Loans {
  /** The picture of a time stamp that the other page has shown already; undefined when it cannot be had. */
  borrow(tick: number): Promise<PacketPicture | undefined>
  /** Copies a picture that the other page will show. */
  lend(tick: number, picture: PacketPicture): void
  close(): void
}

const openLender = (url: string, { channel, ticks }: PictureShare): Loans => {
  const line = new BroadcastChannel(channel)
  const kept = new Map<number, PacketPicture>()
  line.onmessage = ({ data }: MessageEvent<Loan>) => {
    if (data.url !== url || data.picture !== undefined) return
    line.postMessage({ ...data, picture: kept.get(data.tick) ?? null } satisfies Loan)
    kept.delete(data.tick)
  }
  return {
    borrow: async () => undefined,
    lend(tick, picture) {
      if (!ticks.includes(tick)) return
      kept.set(tick, { ...picture, pixels: picture.pixels.slice(0) })
      for (const old of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(old)
    },
    close: () => line.close(),
  }
}

const openBorrower = (url: string, { channel, ticks }: PictureShare): Loans => {
  const line = new BroadcastChannel(channel)
  return {
    borrow: (tick) =>
      ticks.includes(tick)
        ? new Promise((resolve) => {
            const late = setTimeout(() => resolve(undefined), ANSWER_MS)
            line.onmessage = ({ data }: MessageEvent<Loan>) => {
              if (data.url !== url || data.tick !== tick || data.picture === undefined) return
              clearTimeout(late)
              resolve(data.picture ?? undefined)
            }
            line.postMessage({ url, tick } satisfies Loan)
          })
        : Promise.resolve(undefined),
    lend: () => {},
    close: () => line.close(),
  }
}

/** Opens one end of a share. */
export const openLoans = (url: string, share: PictureShare): Loans =>
  share.role === 'lender' ? openLender(url, share) : openBorrower(url, share)
