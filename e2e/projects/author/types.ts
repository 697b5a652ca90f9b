import { defineConfig } from '@vid/config'
import { defineDelivery, type Frame, Type } from '@vid/kernel'
import ledger from './deliver-ledger.ts'
import webp from './encoder-webp.ts'

// @ts-expect-error: the ledger has an option that must be given
ledger()
// @ts-expect-error: no such option
webp({ loops: 3 })
// @ts-expect-error: an encoder is no delivery
defineConfig({ deliveries: [webp()] })
// @ts-expect-error: there is no target of this name
defineConfig({ target: 'nowhere' })
// @ts-expect-error: there is no preset of this name
defineConfig({ preset: 'nowhere' })

/** The type of a frame is known outside, and an option's type where it is used. */
export const first = async (frames: AsyncIterable<Frame>): Promise<number> => {
  for await (const { index } of frames) return index
  return -1
}

export default defineDelivery({
  name: '@acme/typed',
  options: Type.Object({ times: Type.Integer() }),
  async deliver(_artifact, { frames }, { options }) {
    const total: number = frames * options.times
    // @ts-expect-error: it is a number
    const words: string = options.times
    if (total < 0) throw new Error(words)
  },
})
