/** Segments that are being captured, and whether other pages may help. */
export interface HelpedSegments {
  /** A segment was started. */
  start(index: number): void
  /** Its frames may be captured by other pages, which `help` opens. */
  offer(index: number, help: () => Promise<void>): void
  /** All its frames are captured. */
  end(index: number): void
  /** Whether a segment that is being captured takes help. */
  isOpen(): boolean
  /** Helps the segments that are being captured, one after the other; `framesLeft` says how many each has left. */
  help(framesLeft: (index: number) => number): Promise<void>
}

interface Offer {
  readonly help: Promise<(() => Promise<void>) | undefined>
  readonly answer: (help?: () => Promise<void>) => void
  isMade: boolean
}

const createOffer = (): Offer => {
  let answer: Offer['answer'] = () => {}
  const help = new Promise<(() => Promise<void>) | undefined>((resolve) => {
    answer = resolve
  })
  return { help, answer, isMade: false }
}

/** Creates an empty list. */
export const createHelpedSegments = (): HelpedSegments => {
  const offers = new Map<number, Offer>()
  return {
    start(index) {
      offers.get(index)?.answer()
      offers.set(index, createOffer())
    },
    offer(index, help) {
      const offer = offers.get(index)
      if (offer) offer.isMade = true
      offer?.answer(help)
    },
    end(index) {
      offers.get(index)?.answer()
      offers.delete(index)
    },
    isOpen: () => [...offers.values()].some(({ isMade }) => isMade),
    async help(framesLeft) {
      const seen = new Set<Offer>()
      for (;;) {
        const open = [...offers].filter(([, offer]) => !seen.has(offer))
        const [most] = open.sort(([one], [other]) => framesLeft(other) - framesLeft(one))
        if (!most) return
        const [, offer] = most
        seen.add(offer)
        const help = await offer.help
        await help?.()
      }
    },
  }
}
