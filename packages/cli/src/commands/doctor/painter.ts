import { encodePng } from '@vid/browser'
import { defineCapture, type Frame, type MediaUse, type RenderPlan } from '@vid/kernel'

/** Name of the file with a second of sound, in the folder of the composition. */
export const TONE_FILE = 'tone.wav'

const RATE = 48_000

/** A second of a tone, as a wav of 16 bits. */
export const toneBytes = (): Buffer => {
  const bytes = Buffer.alloc(44 + RATE * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  for (const [offset, value] of [
    [16, 16],
    [24, RATE],
    [28, RATE * 2],
    [40, RATE * 2],
  ] as const)
    bytes.writeUInt32LE(value, offset)
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, offset)
  bytes.write('data', 36, 'latin1')
  for (let sample = 0; sample < RATE; sample += 1)
    bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * sample) / RATE)), 44 + sample * 2)
  return bytes
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
          yield { index, format: isRaw ? 'rgba' : 'png', data: isRaw ? picture.data : encodePng(picture) }
        }
      },
      close: async () => {},
    }),
  })()
