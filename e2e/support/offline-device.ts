import type { Page } from 'puppeteer-core'
import type { Sound } from './sound.ts'

/** What a page plays, put together sample by sample at the pace at which its player hands it over. */
interface OfflineDevice {
  context?: OfflineAudioContext
  /** Seconds of the device up to which sound has been handed over, and whether its last piece has been. */
  filled: number
  isComplete: boolean
  /** Resolves when sound is there up to a time, or all of it. */
  fill(seconds: number): Promise<void>
  /** Forgets what has been handed over. */
  empty(): void
}

/** Puts an offline device in place of that of the machine, which plays on whether a busy page is in time or not. */
export const OFFLINE_DEVICE = () => {
  const PIECE_SECONDS = 0.25
  const waiting = new Set<() => void>()
  const device: OfflineDevice = {
    filled: 0,
    isComplete: false,
    fill: (seconds) =>
      new Promise((resolve) => {
        const check = () => {
          if (device.filled < seconds && !device.isComplete) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    empty() {
      device.filled = 0
      device.isComplete = false
    },
  }
  class OfflineContext extends OfflineAudioContext {
    constructor({ sampleRate }: { readonly sampleRate: number }) {
      super({ numberOfChannels: 2, length: 8 * sampleRate, sampleRate })
      device.context = this
    }
    close() {
      return Promise.resolve()
    }
  }
  Object.defineProperty(OfflineContext.prototype, 'state', { value: 'running' })
  Object.assign(globalThis, { AudioContext: OfflineContext, device })
  const { prototype } = AudioBufferSourceNode
  const { start } = prototype
  prototype.start = function (when = 0, offset = 0) {
    start.call(this, when, offset)
    const seconds = this.buffer?.duration ?? 0
    device.filled = Math.max(device.filled, when + seconds - offset)
    // Of all pieces the last one alone is shorter.
    device.isComplete ||= seconds < PIECE_SECONDS
    for (const check of waiting) check()
  }
}

/** Plays a player from its first frame to its end on an offline device, and returns what was heard. */
export const playOffline = async (page: Page): Promise<Sound> => {
  const [left, right] = await page.evaluate(async () => {
    const player = document.querySelector('vid-player')
    if (!player) throw new Error('there is no player')
    const { device } = globalThis as unknown as { device: OfflineDevice }
    // Once the sources have been decoded, a player begins at once.
    await player.play()
    await device.fill(0.001)
    player.pause()
    await player.seekFrame(0)
    device.empty()
    await player.play()
    await device.fill(0.001)
    const { context } = device
    if (!context) throw new Error('the player has opened no device')
    for (let seconds = 0.25; seconds < 8; seconds += 0.25)
      void context
        .suspend(seconds)
        .then(() => device.fill(seconds + 1))
        .then(() => context.resume())
    const heard = await context.startRendering()
    return [0, 1].map((side) => [...heard.getChannelData(side)])
  })
  return [Float32Array.from(left ?? []), Float32Array.from(right ?? [])]
}
