import { encodeFastPng } from '@vid/browser'
import { wavHeader } from '@vid/ffmpeg'
import { defineCapture, type Frame } from '@vid/kernel'
import type { MediaUse, RenderPlan } from '@vid/protocol'

/** Name of the file with a second of sound, in the folder of the composition. */
export const TONE_FILE = 'tone.wav'

const RATE = 48_000

/** A second of a tone, as a wav file. */
export const toneBytes = (): Buffer => {
  const samples = Float32Array.from({ length: RATE }, (_, n) => 0.25 * Math.sin((2 * Math.PI * 440 * n) / RATE))
  return Buffer.concat([wavHeader(RATE, { sampleRate: RATE, channels: 1 }), Buffer.from(samples.buffer)])
}

const TONE: MediaUse = {
  id: 'm0',
  kind: 'audio',
  src: TONE_FILE,
  start: 0,
  end: 1,
  mediaStart: 0,
  rate: 1,
  loop: false,
  volume: 1,
  muted: false,
  hasAudio: true,
}

/** A grey that becomes brighter from frame to frame. */
const paint = ({ width, height }: Pick<RenderPlan, 'width' | 'height'>, index: number): Buffer => {
  const pixels = Buffer.alloc(width * height * 4, (index * 8) % 256)
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255
  return pixels
}

/** Paints frames without a browser, so that encoders can be tried where none works; `sound` adds a tone. */
export const painter = (sound: boolean) =>
  defineCapture({
    name: '@vid/cli/doctor-painter',
    build: async () => '1',
    open: async (plan) => ({
      probe: async () => ({ duration: null, stateful: false, media: sound ? [TONE] : [] }),
      async *frames({ start, frames }, accepts): AsyncGenerator<Frame> {
        const isRaw = accepts.includes('rgba')
        for (let index = start; index < start + frames; index += 1) {
          const picture = { width: plan.width, height: plan.height, data: paint(plan, index) }
          yield { index, format: isRaw ? 'rgba' : 'png', data: isRaw ? picture.data : encodeFastPng(picture) }
        }
      },
      close: async () => {},
    }),
  })()
